public import Foundation
public import PassgateContract

/// What the gateway answered. It is never shown: it may hold a handoff.
public struct HTTPAnswer: Sendable, Concealed {
    /// The status.
    public let status: Int
    /// The header fields.
    public let headers: [(name: String, value: String)]
    /// The body; empty where there is none.
    public let body: Data

    /// Makes an answer of its parts.
    public init(status: Int, headers: [(name: String, value: String)], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first field with that name, in whatever case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
