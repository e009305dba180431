internal import Glibc

/// A fixed buffer that is wiped before its memory is given back.
///
/// Safe to share: it is written once, in `init`, before any other reference exists.
final class WipedBuffer: @unchecked Sendable {
    let buffer: UnsafeMutableBufferPointer<UInt8>

    var count: Int { buffer.count }

    init(count: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        buffer = .allocate(capacity: count)
        buffer.initialize(repeating: 0)
        fill(buffer)
    }

    deinit {
        if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
        buffer.deallocate()
    }
}
