public import Provisioning

/// A processor's failures and what each means to us: one table per provider, as data.
///
/// It is total. A status and a word that have a row mean what the row says. A word without a row never decides anything:
/// then the status does, so HTML, empty and oversize bodies, and bodies that imitate our own problems, need no rows.
///
/// ```swift
/// static let failures = UpstreamFailureTable(
///     rows: [.init(404, "no_such_card", .providerCardNotFound)], requestIDHeaders: ["x-request-id"]
/// ) { body, _ in UpstreamFault(code: body["code"]?.string) }
/// ```
public struct UpstreamFailureTable: Sendable {
    /// What a status and a word mean.
    public struct Row: Sendable, Equatable {
        /// The HTTP status. 200 is a failure inside any 2xx.
        public let status: Int
        /// The processor's word; nil is any answer with that status whose words have no row.
        public let word: String?
        /// Our code.
        public let code: ProblemCode
        /// A word that says why, for `card_ineligible`.
        public let reason: String?

        /// Makes a row of its members.
        public init(_ status: Int, _ word: String?, _ code: ProblemCode, reason: String? = nil) {
            self.status = status
            self.word = word
            self.code = code
            self.reason = reason
        }
    }

    /// The rows. Of several that fit, the first word's first row decides.
    public let rows: [Row]
    /// The header fields that hold the processor's request id, in lower case, the best first.
    public let requestIDHeaders: [String]
    /// The header field that advises on a repeat with `true` or `false`, in lower case.
    public let adviceHeader: String?
    /// Finds the processor's words in a body, which is an object, of an answer with that status.
    public let read: @Sendable (JSONView, Int) -> UpstreamFault

    /// Makes a table of its members.
    public init(
        rows: [Row], requestIDHeaders: [String] = [], adviceHeader: String? = nil,
        read: @escaping @Sendable (JSONView, Int) -> UpstreamFault
    ) {
        self.rows = rows
        self.requestIDHeaders = requestIDHeaders
        self.adviceHeader = adviceHeader
        self.read = read
    }

    /// What an answer other than a 2xx means.
    ///
    /// A row for the very status comes first. A word with a row for another status of the same hundred still counts, but
    /// not against 401, 429 and 504, whose meaning is HTTP's own.
    public func meaning(of status: Int, _ fault: UpstreamFault) -> Row {
        let sameStatus = rows.filter { $0.status == status }
        if let row = Self.first(of: fault.words, in: sameStatus) ?? sameStatus.first(where: { $0.word == nil }) {
            return row
        }
        let own = Row(status, nil, Self.meaning(of: status))
        if [401, 429, 504].contains(status) { return own }
        return Self.first(of: fault.words, in: rows.filter { $0.status / 100 == status / 100 }) ?? own
    }

    /// What a fault inside a 2xx means; nil where the answer is none.
    func softFailure(_ fault: UpstreamFault) -> Row? {
        Self.first(of: fault.words, in: rows.filter { $0.status == 200 })
    }

    /// The processor's request id.
    func requestID(of response: UpstreamResponse) -> String? {
        requestIDHeaders.lazy.compactMap { response.header($0) }.first
    }

    /// The processor's advice on a repeat.
    func advice(of response: UpstreamResponse) -> Bool? {
        switch adviceHeader.flatMap({ response.header($0) })?.lowercased() {
        case "true": true
        case "false": false
        default: nil
        }
    }

    private static func first(of words: [String], in rows: [Row]) -> Row? {
        words.lazy.compactMap { word in rows.first { $0.word == word } }.first
    }

    private static func meaning(of status: Int) -> ProblemCode {
        switch status {
        case 401, 403: .providerUnauthorized
        case 429: .providerRateLimited
        case 504: .providerTimeout
        case 300...499: .providerRejected
        case 500...599: .providerUnavailable
        default: .providerContractViolation
        }
    }
}
