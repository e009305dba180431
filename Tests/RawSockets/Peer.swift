import Foundation
import Glibc
import Synchronization

/// One connection of a scripted server, used on its thread.
public final class Peer: Sendable {
    /// Its place among the server's connections, from 0.
    public let index: Int
    private let descriptor: Mutex<Int32?>
    private let pending = Mutex<[UInt8]>([])
    private unowned let server: ScriptedServer

    init(_ descriptor: Int32, index: Int, server: ScriptedServer) {
        self.descriptor = Mutex(descriptor)
        self.index = index
        self.server = server
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads up to the end of a head; nil where the client has gone.
    public func readHead() -> String? {
        while true {
            let head: String? = pending.withLock { bytes in
                guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
                defer { bytes.removeFirst(end.upperBound) }
                return String(decoding: bytes[..<end.upperBound], as: UTF8.self)
            }
            if let head { return head }
            guard receive() else { return nil }
        }
    }

    /// Reads a request with its body, if a content length tells of one; nil where the client has gone.
    @discardableResult
    public func readRequest() -> String? {
        guard let head = readHead() else { return nil }
        let length = Self.contentLength(of: head)
        while pending.withLock({ $0.count }) < length { guard receive() else { return nil } }
        return pending.withLock { bytes in
            defer { bytes.removeFirst(length) }
            return head + String(decoding: bytes[..<length], as: UTF8.self)
        }
    }

    /// Sends text as it stands.
    public func write(_ text: String) { write(Array(text.utf8)) }

    /// Sends bytes as they stand.
    public func write(_ bytes: [UInt8]) {
        guard let descriptor = descriptor.withLock({ $0 }) else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a whole answer.
    public func answer(_ body: String = "{}", status: String = "200 OK", headers: String = "") {
        write("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)")
    }

    /// Waits until something can be read, and leaves it.
    public func waitForBytes() {
        guard let descriptor = descriptor.withLock({ $0 }) else { return }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 10_000)
    }

    /// Waits until a whole request has arrived, and leaves it unread; nil where the client has gone before.
    public func peekRequest() -> String? {
        guard let descriptor = descriptor.withLock({ $0 }) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 262_144)
        var wanted: Int32 = 1
        while true {
            // Wakes only for more bytes than it has seen.
            setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &wanted, socklen_t(MemoryLayout<Int32>.size))
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            guard count >= wanted else { return nil }
            if let request = Self.wholeRequest(buffer[..<count]) {
                wanted = 1
                setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &wanted, socklen_t(MemoryLayout<Int32>.size))
                return request
            }
            wanted = Int32(count) + 1
        }
    }

    /// The first request of the bytes; nil where it is not whole yet.
    private static func wholeRequest(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.upperBound], as: UTF8.self)
        let length = contentLength(of: head)
        guard bytes.count - end.upperBound >= length else { return nil }
        return head + String(decoding: bytes[end.upperBound..<(end.upperBound + length)], as: UTF8.self)
    }

    private static func contentLength(of head: String) -> Int {
        head.lowercased().components(separatedBy: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    }

    /// Waits that many milliseconds, or less if the client leaves.
    public func hasClientLeft(within milliseconds: Int32) -> Bool {
        guard let descriptor = descriptor.withLock({ $0 }) else { return true }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0 && !receive()
    }

    /// Waits until the client has closed.
    public func waitForEnd() { while receive() {} }

    /// Closes with a reset.
    public func reset() {
        guard let descriptor = descriptor.withLock({ $0 }) else { return }
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close()
    }

    /// Closes.
    public func close() { if let descriptor = descriptor.withLock({ $0.take() }) { Glibc.close(descriptor) } }

    /// Wakes the thread out of whatever it waits for. From any thread.
    public func interrupt() { descriptor.withLock { if let it = $0 { shutdown(it, Int32(SHUT_RDWR)) } } }

    private func receive() -> Bool {
        guard let descriptor = descriptor.withLock({ $0 }) else { return false }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        server.record(buffer[..<count])
        pending.withLock { $0.append(contentsOf: buffer[..<count]) }
        return true
    }
}
