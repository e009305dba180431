import SecretMemory

/// One request and its answer.
///
/// Safe to share with the handler's task: the task runs on the connection's loop, and everything here is touched on
/// that loop alone.
final class HTTPExchange: @unchecked Sendable {
    enum Stage {
        /// The request line has been read.
        case started
        /// The body is arriving, or about to.
        case receiving
        /// All of the request is there, and the answer is awaited.
        case received
        /// The library has the answer.
        case answering
    }

    let path: String
    let query: String
    let hasTarget: Bool
    /// How long the target was, up to a zero byte if it had one.
    let targetBytes: Int
    var receivedAt: ContinuousClock.Instant
    var stage = Stage.started
    /// How many bytes it has on the wire, but for chunks.
    var wireBytes: UInt64 = 0
    /// The connection is closed after it.
    var isLast = false
    /// The client wants the connection to be kept.
    var clientKeeps = false
    /// The connection is kept after the answer.
    var keepsConnection = false
    /// Its body comes in chunks.
    var isChunked = false
    /// How many bytes of the connection the library had read when its chunks were last looked at, and how often since
    /// then it read nothing.
    var readBytes: UInt64 = 0
    var stalls = 0
    var bodyBytes: UInt64 = 0
    var hasBody = false
    /// The limit and the bytes of a body that is collected.
    var limit = 0
    var body: SecretBuilder?
    /// Where a body that is streamed goes.
    var pipe: BodyPipe?
    /// What becomes a request when the body is whole.
    var head: HTTPRequest?
    var task: Task<Void, Never>?
    var response: HTTPResponse?
    /// Who wants to know what became of the answer.
    var onDelivery: (@Sendable (HTTPResponse.Delivery) -> Void)?
    /// When the library got the answer.
    var answeredAt: ContinuousClock.Instant?
    /// When the body must be there. It moves on while the handler, not the client, is waited for.
    var bodyDeadline: ContinuousClock.Instant
    var pausedAt: ContinuousClock.Instant?
    /// How many bytes of a body that is streamed have come since its deadline last moved on.
    var freshBytes = 0
    /// The library has ended the request.
    var isDetached = false
    /// It is counted as in flight.
    var isCounted = false

    /// Begins with the target as it was sent.
    init(target: UnsafePointer<CChar>?, receivedAt: ContinuousClock.Instant, bodyDeadline: ContinuousClock.Instant) {
        self.receivedAt = receivedAt
        self.bodyDeadline = bodyDeadline
        guard let target else {
            (path, query, hasTarget, targetBytes) = ("", "", false, 0)
            return
        }
        let bytes = UnsafeRawBufferPointer(start: target, count: Self.length(target))
        let mark = bytes.firstIndex(of: 0x3f) ?? bytes.count
        path = Self.origin(String(decoding: bytes[..<mark], as: UTF8.self))
        query = mark < bytes.count ? String(decoding: bytes[(mark + 1)...], as: UTF8.self) : ""
        targetBytes = bytes.count
        hasTarget = bytes.allSatisfy { $0 > 0x20 && $0 < 0x7f } && !bytes.isEmpty
    }

    /// Notes that a piece of a body that is streamed has come. Such a body may be long: it must not be whole by the
    /// deadline, but another so many bytes must have come.
    func noteStreamed(_ bytes: Int, patience: Duration) {
        freshBytes += bytes
        guard freshBytes >= Self.streamStep else { return }
        freshBytes = 0
        bodyDeadline = .now + patience
    }

    /// How much of a body that is streamed must come within the deadline of a body.
    private static let streamStep = 65_536

    /// Tells what became of the answer, once.
    func deliver(_ delivery: HTTPResponse.Delivery) {
        onDelivery.take()?(delivery)
    }

    private static func length(_ text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }

    /// The path of a target in absolute form, which a server must accept; any other target as it is.
    private static func origin(_ target: String) -> String {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return target }
        let rest = target[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}
