/// A header field of `name=value` members with commas between them, as signatures are written: read by name, whatever the
/// order, with spaces around members, and with members that nobody here knows.
public struct SignatureMembers: Sendable {
    /// How long a field may be: two dozen signatures fit.
    private static let limit = 4096

    private let members: [(name: String, value: String)]

    /// Nil where there is no field, or it is too long to be one.
    public init?(_ field: String?) {
        guard let field, field.utf8.count <= Self.limit else { return nil }
        members = field.split(separator: ",").compactMap { member in
            let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return (Self.trimmed(parts[0], trailing: false), Self.trimmed(parts[1], leading: false))
        }
    }

    /// Every value of that name, in order.
    public func all(_ name: String) -> [String] { members.filter { $0.name == name }.map(\.value) }

    /// The one value of that name; nil where there is none, or where two differ.
    public func only(_ name: String) -> String? {
        let values = Set(all(name))
        return values.count == 1 ? values.first : nil
    }

    private static func trimmed(_ text: Substring, leading: Bool = true, trailing: Bool = true) -> String {
        var text = text
        while leading, text.first == " " || text.first == "\t" { text.removeFirst() }
        while trailing, text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
