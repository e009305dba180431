internal import Glibc

/// A fixed list of plain values whose memory is wiped when the last copy goes.
///
/// For values that are not bytes and may yet be a secret, such as a card number that stands in JSON as a number.
public struct WipedArray<Element: BitwiseCopyable & Sendable>: Sendable {
    /// Safe to share: it is written once, in `init`, before any other reference exists.
    @usableFromInline final class Storage: @unchecked Sendable {
        @usableFromInline let elements: UnsafeMutableBufferPointer<Element>

        @usableFromInline
        init(count: Int) { elements = .allocate(capacity: count) }

        deinit {
            Self.wipe(elements)
            elements.deallocate()
        }

        static func wipe(_ elements: UnsafeMutableBufferPointer<Element>) {
            let bytes = UnsafeMutableRawBufferPointer(elements)
            if let base = bytes.baseAddress { explicit_bzero(base, bytes.count) }
        }
    }

    @usableFromInline let storage: Storage

    /// How many values there are.
    @inlinable public var count: Int { storage.elements.count }

    /// Makes a list of as many values, each told by its index.
    @inlinable
    public init(count: Int, element: (Int) -> Element) {
        let storage = Storage(count: count)
        for index in 0..<count { storage.elements.initializeElement(at: index, to: element(index)) }
        self.storage = storage
    }

    /// The value at an index from 0 to ``count``.
    @inlinable
    public subscript(index: Int) -> Element {
        precondition(index >= 0 && index < storage.elements.count, "the index is outside the list")
        return storage.elements[index]
    }
}
