internal import Glibc

/// Bytes that must not be seen: a key, a nonce, a card number, a handoff.
///
/// The description is a placeholder, so that no log line, error text or debugger dump shows the value by accident.
/// The memory is wiped when the last copy goes. Copies share one buffer.
///
/// Safe to share: the buffer is written before the first value of this type has it, and never after.
public struct SecretBytes: @unchecked Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    @usableFromInline let storage: WipedBuffer

    var buffer: UnsafeBufferPointer<UInt8> { storage.buffer }

    /// Takes over a buffer that nobody else writes.
    init(_ storage: WipedBuffer) { self.storage = storage }

    /// Takes a copy of `bytes`. The caller's own array is not wiped; prefer ``init(taking:)`` where it can be.
    public init(_ bytes: some Collection<UInt8>) {
        storage = .make(count: bytes.count) { buffer in _ = buffer.initialize(fromContentsOf: bytes) }
    }

    /// Takes a copy of a C buffer, for the C wrapper modules alone.
    @unsafe
    public init(copying source: UnsafeBufferPointer<UInt8>) {
        storage = .make(count: source.count) { buffer in _ = buffer.initialize(fromContentsOf: source) }
    }

    /// Takes a copy of `bytes` and wipes the array that was passed.
    public init(taking bytes: inout [UInt8]) {
        self.init(bytes)
        wipe(&bytes)
    }

    /// The UTF-8 bytes of `text`.
    public init(utf8 text: some StringProtocol) { self.init(text.utf8) }

    /// How many bytes there are.
    public var count: Int { storage.count }

    /// Whether there are no bytes.
    public var isEmpty: Bool { storage.count == 0 }

    /// Calls `body` with the bytes, without a copy. The span must not escape.
    @inlinable
    public func withSpan<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        try body(Span(_unsafeElements: storage.buffer))
    }

    /// Calls `body` with the bytes, for the C wrapper modules alone. The pointer must not escape.
    @unsafe
    @inlinable
    public func withUnsafeBytes<Result, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result)
        throws(Failure) -> Result
    {
        try body(UnsafeRawBufferPointer(storage.buffer))
    }

    /// A copy of the bytes, in memory that is not wiped. For the place where they leave, and nowhere else.
    public func reveal() -> [UInt8] { Array(storage.buffer) }

    /// The bytes as text, or nil where they are not UTF-8. For the place where they leave, and nowhere else.
    public func revealText() -> String? { String(validating: storage.buffer, as: UTF8.self) }

    /// Compares in time that depends on the lengths alone.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<left.count { difference |= left.storage.buffer[index] ^ right.storage.buffer[index] }
        return difference == 0
    }

    /// A placeholder.
    public var description: String { "«secret, \(count) bytes»" }

    /// A placeholder.
    public var debugDescription: String { description }

    /// Nothing to reflect: `dump` shows the placeholder only.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites every element with zero, in a way that the optimizer cannot leave out.
public func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
        if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
    }
    bytes.removeAll()
}
