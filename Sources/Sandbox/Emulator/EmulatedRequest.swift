import Foundation
public import SecretMemory

/// One request to an emulator, its prefix removed.
public struct EmulatedRequest: Sendable {
    /// The method, such as `POST`.
    public let method: String
    /// The path after the emulator's prefix, as it was sent; begins with a slash.
    public let path: String
    /// The query as it was sent, without the question mark.
    public let query: String
    /// The header fields in the order they came, names in lower case.
    public let headers: [(name: String, value: String)]
    /// The whole body.
    public let body: SecretBytes

    /// Makes a request of its members.
    public init(
        method: String, path: String, query: String = "", headers: [(name: String, value: String)] = [],
        body: SecretBytes = SecretBytes([])
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The only field of that name, given in lower case; nil where there is none or more than one.
    public func header(_ name: String) -> String? {
        let values = headers.filter { $0.name == name }
        return values.count == 1 ? values.first?.value : nil
    }

    /// The path's segments, still percent-encoded.
    public var segments: [String] { path.split(separator: "/", omittingEmptySubsequences: true).map(String.init) }

    /// The query's names and values, percent-decoded; nil where it cannot be read.
    public var parameters: [(name: String, value: String)]? { Self.pairs(of: query) }

    /// The names and values of a body that is a form, percent-decoded; nil where it cannot be read.
    public var form: [(name: String, value: String)]? { body.revealText().flatMap(Self.pairs) }

    private static func pairs(of text: String) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts[0]), let value = decode(parts.count == 2 ? parts[1] : "") else {
                return nil
            }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func decode(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
