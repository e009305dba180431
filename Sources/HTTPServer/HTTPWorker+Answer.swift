import CLinux
import CMicrohttpd
import EventLoop
import Glibc
import SecretMemory

/// Handing answers to the library.
extension HTTPWorker {
    /// Gives the library the answer, or breaks the connection in the way that the answer asks for.
    func queue(
        _ response: HTTPResponse, _ connection: HTTPConnection, _ exchange: HTTPExchange, _ handle: OpaquePointer
    ) -> MHD_Result {
        exchange.stage = .answering
        exchange.answeredAt = .now
        exchange.onDelivery = response.onDelivery
        if response.fault == .reset || response.fault == .garble {
            connection.phase = .leaving
            loop.unwatch(connection.descriptor)
            if response.fault == .garble {
                _ = garbage.withUnsafeBytes { passgate_send(connection.descriptor, $0.baseAddress, $0.count) }
                shutdown(connection.descriptor, Int32(SHUT_RDWR))
            } else {
                passgate_reset(connection.descriptor)
            }
            return .NO
        }
        guard let answer = Self.libraryAnswer(response, on: connection.descriptor) else { return .NO }
        defer { MHD_destroy_response(answer) }
        for (name, value) in response.headers where !RawAnswer.isOurs(name) {
            // The library refuses a field that would break the head; the answer then goes without it.
            _ = MHD_add_response_header(answer, name, value)
        }
        let isLast = response.closesConnection || exchange.isLast || ledger.isDraining
        exchange.keepsConnection = exchange.clientKeeps && !isLast
        if isLast {
            _ = MHD_add_response_header(answer, MHD_HTTP_HEADER_CONNECTION, "close")
        }
        return MHD_queue_response(handle, UInt32(clamping: response.status), answer)
    }

    /// The library's form of the answer. It reads the body where it stands; the last reference to it goes, and the
    /// memory is wiped, when the library is done with the answer.
    private static func libraryAnswer(_ response: HTTPResponse, on descriptor: Int32) -> OpaquePointer? {
        let body = response.body
        if case .truncate(let count) = response.fault {
            let source = Unmanaged.passRetained(TruncatedBody(body, after: count, on: descriptor))
            return MHD_create_response_from_callback(
                UInt64(max(body.count, count + 1)), 4096, TruncatedBody.read, source.toOpaque(), TruncatedBody.free)
        }
        if body.isEmpty { return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT) }
        let holder = Unmanaged.passRetained(BodyHolder(body))
        return body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer_with_free_callback_cls(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                { holder in
                    if let holder { Unmanaged<BodyHolder>.fromOpaque(holder).release() }
                }, holder.toOpaque())
        }
    }
}

/// What a client gets that is promised bytes that are not HTTP.
private let garbage = Array("220 this is no HTTP, but may once have been mail\r\n".utf8)

/// Keeps a body's memory where it is while the library reads it.
private final class BodyHolder {
    private let body: SecretBytes
    init(_ body: SecretBytes) { self.body = body }
}

/// A body that breaks off: the head announces all of it.
private final class TruncatedBody {
    private let bytes: [UInt8]
    private let descriptor: Int32

    init(_ body: SecretBytes, after count: Int, on descriptor: Int32) {
        bytes = Array(body.reveal().prefix(max(count, 0)))
        self.descriptor = descriptor
    }

    static let read: MHD_ContentReaderCallback = { context, position, target, size in
        guard let context, let target else { return -2 }
        let body = Unmanaged<TruncatedBody>.fromOpaque(context).takeUnretainedValue()
        let rest = body.bytes.dropFirst(Int(position)).prefix(size)
        // -2 is the library's sign of an error in the midst of a body. It does not close by itself where that is the
        // body's beginning; the end of the connection makes it look again.
        if rest.isEmpty {
            shutdown(body.descriptor, Int32(SHUT_RDWR))
            return -2
        }
        UnsafeMutableRawBufferPointer(start: target, count: size).copyBytes(from: rest)
        return rest.count
    }

    static let free: MHD_ContentReaderFreeCallback = { context in
        if let context { Unmanaged<TruncatedBody>.fromOpaque(context).release() }
    }
}
