import COpenSSL
public import SecretMemory

/// SHA-256 (FIPS 180-4).
public enum SHA256: Sendable {
    /// The 32 bytes of the digest.
    public static func digest(of bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { buffer in digest { $0(buffer) } }
    }

    /// The 32 bytes of the digest of all pieces, one after the other.
    public static func digest(of pieces: [SecretBytes]) -> [UInt8] {
        digest { update in for piece in pieces { piece.withUnsafeBytes { update($0) } } }
    }

    private static func digest(_ feed: ((UnsafeRawBufferPointer) -> Void) -> Void) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var sound = EVP_DigestInit_ex2(context, OpenSSL.shared.sha256, nil) > 0
        feed { buffer in sound = EVP_DigestUpdate(context, buffer.baseAddress, buffer.count) > 0 && sound }
        var output = [UInt8](repeating: 0, count: 32)
        sound = EVP_DigestFinal_ex(context, &output, nil) > 0 && sound
        precondition(sound, "OpenSSL could not hash: out of memory")
        return output
    }
}
