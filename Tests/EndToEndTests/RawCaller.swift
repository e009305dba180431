import Foundation
import Sandbox
import SecretMemory

/// A caller of one raw socket, who may leave whenever it likes.
final class RawCaller: Sendable {
    /// No connection could be made.
    struct ConnectFailure: Error {}

    private let socket: FileHandle

    /// Connects to a loopback port.
    init(port: UInt16) throws {
        socket = FileHandle(fileDescriptor: try Self.open(), closeOnDealloc: true)
        guard unsafe LoopbackAddress(port: port).use({ unsafe connect(socket.fileDescriptor, $0, $1) }) == 0 else {
            throw ConnectFailure()
        }
    }

    /// A new TCP socket.
    static func open() throws -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ConnectFailure() }
        return descriptor
    }

    /// Sends a request of the gateway's platform; a body goes as JSON.
    func send(_ method: String, _ path: String, _ body: SecretBytes? = nil, as key: SecretText? = nil) throws {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: gateway"]
        if let key { lines.append("Authorization: Bearer \(key.reveal())") }
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.count)"] }
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        if let body { try socket.write(contentsOf: Data(body.reveal())) }
    }

    /// Sends a text.
    func send(_ text: String) throws { try socket.write(contentsOf: Data(text.utf8)) }

    /// Sends bytes.
    func send(_ bytes: [UInt8]) throws { try socket.write(contentsOf: Data(bytes)) }

    /// Ends this side, and reads on.
    func halfClose() { shutdown(socket.fileDescriptor, Int32(SHUT_WR)) }

    /// Breaks the connection with a reset, at once.
    func reset() throws {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        _ = unsafe setsockopt(socket.fileDescriptor, SOL_SOCKET, SO_LINGER, &atOnce, size)
        try socket.close()
    }

    /// Everything that comes until the connection ends.
    func rest() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { [socket] in
                continuation.resume(
                    with: Result { String(decoding: try socket.readToEnd() ?? Data(), as: UTF8.self) })
            }
        }
    }
}

/// A port of this machine, as the kernel wants it.
struct LoopbackAddress {
    private var address = sockaddr_in()

    init(port: UInt16) {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    }

    /// Lends the address to a call.
    func use(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
