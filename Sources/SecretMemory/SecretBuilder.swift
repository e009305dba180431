internal import Glibc

/// Grows secret bytes piece by piece; whatever it outgrows is wiped.
///
/// Use it where a secret is put together: a request body, a decoded nonce, a facade answer.
public struct SecretBuilder: ~Copyable {
    @usableFromInline var storage: WipedBuffer
    /// The storage's bytes.
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var used = 0

    /// How many bytes stand in it.
    @inlinable public var count: Int { used }

    /// An empty builder with room for `capacity` bytes.
    public init(capacity: Int = 1024) {
        self.capacity = max(capacity, 16)
        storage = .make(capacity: self.capacity)
        base = storage.base
    }

    /// Appends one byte.
    @inlinable
    public mutating func append(_ byte: UInt8) {
        if used == capacity { grow(to: used + 1) }
        base[used] = byte
        used += 1
    }

    /// Appends the bytes of a span.
    public mutating func append(_ span: Span<UInt8>) {
        span.withUnsafeBufferPointer { bytes in append(contentsOf: bytes) }
    }

    /// Appends the bytes of an array.
    public mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends text as UTF-8.
    public mutating func append(_ text: String) {
        append(text.utf8.span)
    }

    /// Appends secret bytes.
    public mutating func append(_ secret: SecretBytes) { append(contentsOf: secret.buffer) }

    /// Makes room for `more` bytes, which `fill` writes, all of them.
    mutating func extend(by more: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        if count + more > capacity { grow(to: count + more) }
        fill(UnsafeMutableBufferPointer(start: base + count, count: more))
        used += more
    }

    /// The bytes so far, protected, without a copy.
    public consuming func finish() -> SecretBytes {
        storage.header.count = count
        return SecretBytes(storage)
    }

    private mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        if count + bytes.count > capacity { grow(to: count + bytes.count) }
        (base + count).update(from: start, count: bytes.count)
        used += bytes.count
    }

    @usableFromInline
    mutating func grow(to needed: Int) {
        let larger = WipedBuffer.make(capacity: max(needed, capacity * 2))
        larger.base.update(from: base, count: count)
        storage = larger
        base = larger.base
        capacity = max(needed, capacity * 2)
    }
}
