/// What the framing of a request's head says, once it has been found sound.
struct RequestHead: Equatable {
    /// How the body is delimited.
    enum Body: Equatable {
        case none
        case length(UInt64)
        case chunked
    }

    /// From the first byte to the empty line, inclusive.
    var bytes: Int
    var body: Body
    /// Whether the client waits for `100 Continue` before it sends the body.
    var expectsContinue: Bool
}
