public import Foundation
public import PassgateContract

/// A request to the gateway. It is never shown: it holds the API key, and may hold a handshake.
public struct HTTPCall: Sendable, Concealed {
    /// `GET`, `PUT`, `POST` or `DELETE`.
    public let method: String
    /// The whole URL, percent-encoded.
    public let url: String
    /// The header fields.
    public var headers: [(name: String, value: String)]
    /// The body, where there is one.
    public let body: Data?
    /// How long to wait for the whole answer.
    public let timeout: Duration
}
