internal import Glibc

/// Grows secret bytes piece by piece; whatever it outgrows is wiped.
///
/// Use it where a secret is put together: a request body, a decoded nonce, a facade answer.
public struct SecretBuilder: ~Copyable {
    private var buffer: UnsafeMutableBufferPointer<UInt8>
    /// How many bytes stand in it.
    public private(set) var count = 0

    /// An empty builder with room for `capacity` bytes.
    public init(capacity: Int = 1024) {
        buffer = .allocate(capacity: max(capacity, 16))
        buffer.initialize(repeating: 0)
    }

    deinit { Self.discard(buffer) }

    /// Appends one byte.
    @inline(__always)
    public mutating func append(_ byte: UInt8) {
        if count == buffer.count { grow(to: count + 1) }
        buffer[count] = byte
        count += 1
    }

    /// Appends the bytes of a span.
    public mutating func append(_ span: Span<UInt8>) {
        if count + span.count > buffer.count { grow(to: count + span.count) }
        for index in 0..<span.count { buffer[count + index] = span[index] }
        count += span.count
    }

    /// Appends the bytes of an array.
    public mutating func append(_ bytes: [UInt8]) { append(bytes.span) }

    /// Appends text as UTF-8.
    public mutating func append(_ text: String) {
        append(text.utf8.span)
    }

    /// Appends secret bytes.
    public mutating func append(_ secret: SecretBytes) {
        let room = count + secret.count
        if room > buffer.count { grow(to: room) }
        secret.withSpan { span in
            for index in 0..<span.count { buffer[count + index] = span[index] }
        }
        count = room
    }

    /// Makes room for `more` bytes, which `fill` writes, all of them.
    mutating func extend(by more: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        if count + more > buffer.count { grow(to: count + more) }
        fill(UnsafeMutableBufferPointer(rebasing: buffer[count..<(count + more)]))
        count += more
    }

    /// The bytes so far, protected. The builder's own memory is wiped.
    public consuming func finish() -> SecretBytes {
        SecretBytes(copying: UnsafeBufferPointer(buffer).extracting(0..<count))
    }

    private mutating func grow(to needed: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(needed, buffer.count * 2))
        larger.initialize(repeating: 0)
        for index in 0..<count { larger[index] = buffer[index] }
        Self.discard(buffer)
        buffer = larger
    }

    private static func discard(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
        buffer.deallocate()
    }
}
