internal import Glibc

extension SecretText {
    /// The value of an environment variable; nil where it is not set, or is not UTF-8.
    public init?(environmentVariable name: String) {
        guard let value = getenv(name) else { return nil }
        let bytes = UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self)
        self.init(utf8: SecretBytes(copying: UnsafeBufferPointer(start: bytes, count: strlen(value))))
    }
}
