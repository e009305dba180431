import CLinux
import CMicrohttpd
import Dispatch
import Glibc
import Testing

/// A client of one raw socket. Whatever waits, waits on a queue of the client's own; reading for ten seconds at most, or a minute under a sanitizer.
///
/// Safe to share: the bytes that have been read are touched on the receiving queue alone.
final class RawClient: @unchecked Sendable {
    /// How the server's side of a connection ended.
    enum End: Equatable {
        case closed
        case reset
        case stillOpen
    }

    /// The server took no connection.
    struct ConnectFailure: Error, Equatable {
        let code: Int32
    }

    /// Milliseconds. What runs under a sanitizer takes its time.
    private static let patience: Int32 = getenv("PASSGATE_SANITIZER") == nil ? 10_000 : 60_000

    private let descriptor: Int32
    private let sending = DispatchQueue(label: "raw client, sending")
    private let receiving = DispatchQueue(label: "raw client, receiving")
    private var pending: [UInt8] = []

    deinit { Glibc.close(descriptor) }

    /// Connects to the loopback port; `receiveBuffer` is for a client that takes little at a time.
    init(port: UInt16, receiveBuffer: Int32? = nil) async throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let descriptor = descriptor
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if code != 0 { throw ConnectFailure(code: errno) }
    }

    // MARK: Sending

    /// Sends the text; whether the kernel took all of it.
    @discardableResult
    func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

    /// Sends the bytes; whether the kernel took all of them.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> Bool { await apart(on: sending) { $0.write(bytes) } }

    /// Ends this side, and reads on.
    func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Breaks the connection with a reset, at once.
    func reset() { passgate_reset(descriptor) }

    /// How many bytes the kernel holds that the server's side has not acknowledged.
    var unacknowledged: Int { Int(passgate_unsent_bytes(descriptor)) }

    // MARK: Receiving

    /// The next whole answer; nil where the connection ends before it is whole. An answer to HEAD has no body.
    func answer(toHead isHead: Bool = false) async -> RawResponse? {
        await apart(on: receiving) { client in
            while true {
                if let (response, length) = RawResponse.first(of: client.pending, isHead: isHead) {
                    client.pending.removeFirst(length)
                    return response
                }
                guard client.read() == nil else { return nil }
            }
        }
    }

    /// Everything up to the end, and the end.
    func rest() async -> (text: String, end: End) {
        await apart(on: receiving) { client in
            while true {
                guard let end = client.read() else { continue }
                defer { client.pending = [] }
                return (String(decoding: client.pending, as: UTF8.self), end)
            }
        }
    }

    /// How the connection ends, whatever comes before.
    func end() async -> End { await rest().end }

    /// Sends a request whole and gives its answer.
    func exchange(_ text: String) async -> RawResponse? {
        await send(text)
        return await answer()
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads once into `pending`; gives the end where there is nothing more.
    private func read() -> End? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Self.patience) > 0 else { return .stillOpen }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            pending.append(contentsOf: buffer[..<count])
            return nil
        }
        return count == 0 ? .closed : .reset
    }

    private func apart<Result: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable (RawClient) -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: body(self)) }
        }
    }
}
