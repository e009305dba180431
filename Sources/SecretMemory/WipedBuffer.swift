internal import Glibc

/// A buffer that is wiped before its memory is given back, in one allocation with its length.
@usableFromInline
final class WipedBuffer: ManagedBuffer<WipedBuffer.Extent, UInt8> {
    @usableFromInline
    struct Extent {
        /// How many bytes mean something.
        @usableFromInline var count: Int
        /// How many bytes there are, all of which are wiped.
        let capacity: Int
    }

    /// A buffer whose bytes are still to be written.
    @usableFromInline
    static func make(capacity: Int) -> WipedBuffer {
        let made = create(minimumCapacity: capacity) { _ in Extent(count: 0, capacity: capacity) }
        return unsafeDowncast(made, to: WipedBuffer.self)
    }

    /// A buffer of `count` bytes, all of which `fill` writes.
    static func make(count: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) -> WipedBuffer {
        let made = make(capacity: count)
        fill(UnsafeMutableBufferPointer(start: made.base, count: count))
        made.header.count = count
        return made
    }

    deinit {
        withUnsafeMutablePointers { extent, elements in explicit_bzero(elements, extent.pointee.capacity) }
    }

    /// Where the bytes stand for as long as the buffer lives.
    @inlinable var base: UnsafeMutablePointer<UInt8> { withUnsafeMutablePointerToElements { $0 } }

    /// The bytes that mean something.
    @inlinable var buffer: UnsafeBufferPointer<UInt8> {
        withUnsafeMutablePointers { extent, elements in
            UnsafeBufferPointer(start: elements, count: extent.pointee.count)
        }
    }

    @inlinable var count: Int { withUnsafeMutablePointerToHeader { $0.pointee.count } }
}
