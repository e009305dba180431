public import SecretMemory

/// A body piece by piece. While nobody asks for the next piece, the client is not read from.
public struct HTTPBodyStream: Sendable {
    /// The next piece; nil after the last.
    ///
    /// - Throws: ``HTTPBodyError`` where the client left or broke the framing.
    public let next: @Sendable () async throws(HTTPBodyError) -> SecretBytes?

    /// Makes a stream of its function.
    public init(next: @escaping @Sendable () async throws(HTTPBodyError) -> SecretBytes?) { self.next = next }
}

/// Why a body did not arrive whole.
public enum HTTPBodyError: Error, Sendable {
    /// The client left, or its framing broke.
    case interrupted
}
