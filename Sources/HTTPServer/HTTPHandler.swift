/// Answers requests. It runs on the loop that the request arrived on, with that loop as its task's preference.
public protocol HTTPHandler: Sendable {
    /// What to do with the body of a request whose head has arrived: it has no body yet.
    func bodyPolicy(for head: HTTPRequest) -> HTTPBodyPolicy

    /// Answers the request. The task is cancelled when the client has gone; the answer then goes nowhere.
    func respond(to request: HTTPRequest) async -> HTTPResponse

    /// The answer to what never becomes a request.
    func refusal(_ refusal: HTTPRefusal) -> HTTPResponse
}

/// What a handler wants done with a body.
public enum HTTPBodyPolicy: Sendable {
    /// Collect it, up to so many bytes; more is refused as ``HTTPRefusal/payloadTooLarge``.
    case collect(limit: Int)
    /// Hand it over piece by piece as it arrives, with back pressure.
    case stream
    /// Answer at once, and do not read it.
    case refuse(HTTPResponse)
}

/// What the server refuses by itself.
public enum HTTPRefusal: Sendable, Equatable {
    /// Not HTTP, or framing with two meanings.
    case malformed(String)
    /// Larger headers than the limit.
    case headersTooLarge
    /// A larger body than the limit.
    case payloadTooLarge
    /// Headers or body came too slowly.
    case tooSlow
    /// The server is draining.
    case draining
}
