internal import CPostgreSQL

/// Why a database did not do what it was asked to. It quotes neither a value, nor a statement, nor the server's text.
public struct PostgreSQLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What a caller can act on.
    public enum Kind: Sendable {
        /// No connection can be had.
        case unreachable
        /// The server refused the user, the password, the certificate or the database.
        case refused
        /// The connection broke, or did not answer in time. What was not committed did not happen.
        case lost
        /// The connection broke while a commit was under way, and nobody can say what became of it.
        case uncertain
        /// Every connection is in use.
        case busy
        /// The pool is closed.
        case closed
        /// A statement took too long.
        case slow
        /// Another transaction was in the way: the same work may succeed at once.
        case contended
        /// A unique key is taken.
        case taken
        /// The connection does not know a statement any more, or knows it otherwise.
        case stale
        /// The server's disk is full.
        case full
        /// The server only reads.
        case readOnly
        /// Anything else: an error of ours.
        case other
    }

    /// What a caller can act on.
    public let kind: Kind
    /// The server's code of five characters, where it gave one.
    public let state: String?
    /// The constraint that a statement broke, where it broke one.
    public let constraint: String?

    /// An error of this module's own.
    init(_ kind: Kind) {
        self.kind = kind
        state = nil
        constraint = nil
    }

    /// What a server said of a statement.
    init(state: String, constraint: String? = nil) {
        kind = Self.kind(of: state)
        self.state = state
        self.constraint = constraint
    }

    /// What stands in a failed result; a connection that broke gives no code.
    init(result: OpaquePointer) {
        func field(_ code: UInt8) -> String? {
            PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
        }
        if let state = field(UInt8(ascii: "C")) {
            self.init(state: state, constraint: field(UInt8(ascii: "n")))
        } else {
            self.init(.lost)
        }
    }

    private static func kind(of state: String) -> Kind {
        switch state {
        case "23505", "23P01": .taken
        case "40001", "40P01", "55P03": .contended
        case "57014": .slow
        case "25006": .readOnly
        case "26000", "0A000": .stale
        case "53100": .full
        case "53300": .unreachable
        case "57P01", "57P02", "57P03", "57P04", "57P05", "25P03": .lost
        case "28000", "28P01", "3D000": .refused
        case _ where state.hasPrefix("08"): .lost
        case _ where state.hasPrefix("53"): .full
        default: .other
        }
    }

    /// Our words, and the server's code.
    public var description: String {
        let words =
            switch kind {
            case .unreachable: "the server cannot be reached"
            case .refused: "the server refuses the user, the password or the database"
            case .lost: "the connection broke"
            case .uncertain: "the connection broke during a commit"
            case .busy: "every connection is in use"
            case .closed: "the pool is closed"
            case .slow: "a statement took too long"
            case .contended: "other transactions were in the way"
            case .taken: "a unique key is taken"
            case .stale: "a prepared statement is not valid any more"
            case .full: "the server has no room left"
            case .readOnly: "the server only reads"
            case .other: "a statement failed"
            }
        let codes = [state, constraint].compactMap(\.self).joined(separator: ", ")
        return codes.isEmpty ? words : "\(words) (\(codes))"
    }
}
