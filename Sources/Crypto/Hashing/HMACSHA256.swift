import COpenSSL
public import SecretMemory

/// HMAC-SHA256 (RFC 2104) with one key, which is set up once.
///
/// Safe to share: the prepared state is only ever read, to make copies of it.
public final class HMACSHA256: @unchecked Sendable {
    private let prepared: OpaquePointer

    /// Prepares the key, which may have any length.
    public init(key: SecretBytes) {
        let context = EVP_MAC_CTX_new(OpenSSL.shared.hmac)
        let sound = key.withUnsafeBytes { buffer in
            // A null pointer would mean "the key that was set before".
            var none: UInt8 = 0
            guard let base = buffer.bindMemory(to: UInt8.self).baseAddress else {
                return passgate_hmac_sha256_init(context, &none, 0) > 0
            }
            return passgate_hmac_sha256_init(context, base, buffer.count) > 0
        }
        guard sound, let context else { preconditionFailure("OpenSSL could not set up HMAC: out of memory") }
        prepared = context
    }

    deinit { EVP_MAC_CTX_free(prepared) }

    /// The 32 bytes of the code over all pieces, one after the other.
    public func code(of pieces: [SecretBytes]) -> [UInt8] {
        let context = EVP_MAC_CTX_dup(prepared)
        defer { EVP_MAC_CTX_free(context) }
        var sound = context != nil
        for piece in pieces where sound {
            sound = piece.withUnsafeBytes { buffer in
                EVP_MAC_update(context, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count) > 0
            }
        }
        var output = [UInt8](repeating: 0, count: 32)
        var count = 0
        sound = sound && EVP_MAC_final(context, &output, &count, output.count) > 0 && count == 32
        precondition(sound, "OpenSSL could not make a code: out of memory")
        return output
    }

    /// The 32 bytes of the code over all pieces, under a key that is used once.
    public static func code(key: SecretBytes, of pieces: [SecretBytes]) -> [UInt8] {
        HMACSHA256(key: key).code(of: pieces)
    }
}
