import CCurl
import ProviderKit
import SecretMemory

/// One request on its way, and what has come back.
///
/// Safe to hand over: it is made by the task that sends, and from then on touched on the driver's loop alone.
final class Exchange: @unchecked Sendable {
    typealias Outcome = Result<UpstreamResponse, TransportFailure>

    let request: UpstreamRequest
    let settings: TransferSettings
    let bodyCount: Int
    /// Who waits for the outcome.
    var continuation: UnsafeContinuation<Outcome, Never>?
    /// The handle that carries it, while it is in flight.
    var transfer: Transfer?
    var isCancelled = false
    /// Whether an address that it led to is not allowed.
    var isAddressRefused = false
    /// How many bytes of the body libcurl has taken.
    private(set) var bytesTaken = 0
    /// Whether a connection stood, and the head was about to be written to it.
    private(set) var isHeadHanded = false
    private(set) var isAnswerTooLarge = false
    /// Whether the answer's head has come to its end. libcurl also takes one that breaks off for an answer.
    private(set) var isHeadWhole = false
    private var requestSizeBefore = 0
    private var answer: SecretBuilder? = SecretBuilder(capacity: 2048)

    init(_ request: UpstreamRequest, _ settings: TransferSettings) {
        self.request = request
        self.settings = settings
        bodyCount = request.body?.count ?? 0
    }

    /// Whether a byte of the body was handed to a connection; without a body, whether the head was.
    var isSent: Bool { bodyCount > 0 ? bytesTaken > 0 : isHeadHanded }

    /// Whether the time is up. libcurl counts whole milliseconds.
    var isDeadlinePassed: Bool { ContinuousClock.now + .milliseconds(2) >= request.deadline }

    /// Gives libcurl the next bytes of the body.
    func takeBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let body = request.body else { return 0 }
        let count = min(buffer.count, bodyCount - bytesTaken)
        body.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[bytesTaken..<(bytesTaken + count)]))
        }
        bytesTaken += count
        return count
    }

    /// Says whether the request may go out on the connection that now stands.
    ///
    /// libcurl comes here again when a kept-alive connection turned out to be dead. That is allowed as long as it is no
    /// second call: no byte of the body has left, and a request without one was not written. A read is not written twice
    /// either: whoever asked for it counts its calls.
    func mayBeWritten(requestSize: Int) -> Bool {
        if isHeadHanded {
            guard bytesTaken == 0, bodyCount > 0 || requestSize == requestSizeBefore else { return false }
        }
        isHeadHanded = true
        requestSizeBefore = requestSize
        return true
    }

    /// Takes note of where in the head the answer stands: an interim answer's end is not the answer's.
    func noteHeaderLine(_ line: UnsafeRawBufferPointer) {
        if line.starts(with: "HTTP/".utf8) {
            isHeadWhole = false
        } else if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") {
            isHeadWhole = true
        }
    }

    /// Keeps bytes of the answer's body; false where they are too many.
    func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isAnswerTooLarge, let count = answer?.count, count + bytes.count <= request.answerLimit else {
            isAnswerTooLarge = true
            answer = nil
            return false
        }
        answer?.append(Span(_unsafeElements: bytes))
        return true
    }

    /// The body that has come.
    func takeAnswer() -> SecretBytes { answer.take()?.finish() ?? SecretBytes([]) }
}
