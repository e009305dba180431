import COpenSSL
public import ProviderKit
public import SecretMemory

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) with one key. The tag has 16 bytes.
public struct AESGCM: Sendable {
    /// How long the tag is.
    static let tagLength = 16
    /// How long the nonces are that ``seal(_:associatedData:)`` makes.
    static let nonceLength = 12

    private let key: SecretBytes

    /// Takes a key of 32 bytes.
    ///
    /// - Throws: `CryptographyFailure` for a key of another length.
    public init(key: SecretBytes) throws(CryptographyFailure) {
        guard key.count == 32 else { throw CryptographyFailure("The key of AES-256 must have 32 bytes.") }
        self.key = key
    }

    /// Encrypts under a random nonce of 96 bits: nonce, ciphertext and tag in one.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public func seal(_ plaintext: SecretBytes, associatedData: [UInt8] = []) throws(CryptographyFailure) -> [UInt8] {
        let nonce = SecureRandom.bytes(Self.nonceLength)
        return nonce + (try seal(plaintext, nonce: nonce, associatedData: associatedData))
    }

    /// Decrypts what ``seal(_:associatedData:)`` made.
    ///
    /// - Throws: `CryptographyFailure` where it was altered, cut, or made with another key or other associated data.
    public func open(_ sealed: [UInt8], associatedData: [UInt8] = []) throws(CryptographyFailure) -> SecretBytes {
        guard sealed.count >= Self.nonceLength + Self.tagLength else { throw Self.refusal }
        return try open(
            Array(sealed[Self.nonceLength...]), nonce: Array(sealed[..<Self.nonceLength]),
            associatedData: associatedData
        )
    }

    /// Encrypts under a nonce that the protocol prescribes, of 12 or 16 bytes: ciphertext and tag in one. No nonce may
    /// serve twice under one key; where nothing prescribes it, use the other form.
    ///
    /// - Throws: `CryptographyFailure` for a nonce of another length.
    public func seal(_ plaintext: SecretBytes, nonce: [UInt8], associatedData: [UInt8]) throws(CryptographyFailure)
        -> [UInt8]
    {
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        try start(context, encrypts: true, nonce: nonce, associatedData: associatedData)
        var output = [UInt8](repeating: 0, count: plaintext.count + Self.tagLength)
        var sound = plaintext.isEmpty
        var count: Int32 = 0
        if !sound {
            sound = plaintext.withUnsafeBytes { buffer in
                EVP_EncryptUpdate(
                    context, &output, &count, buffer.bindMemory(to: UInt8.self).baseAddress, Int32(buffer.count)) > 0
            }
        }
        guard sound, count == Int32(plaintext.count) else { throw OpenSSL.failure("The encryption failed.") }
        var tag = [UInt8](repeating: 0, count: Self.tagLength)
        guard EVP_EncryptFinal_ex(context, &tag, &count) > 0,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagLength), &tag) > 0
        else { throw OpenSSL.failure("The encryption failed.") }
        output.replaceSubrange(plaintext.count..., with: tag)
        return output
    }

    /// Decrypts ciphertext and tag under a nonce that the protocol prescribes, of 12 or 16 bytes.
    ///
    /// - Throws: `CryptographyFailure` where anything was altered or does not belong together.
    public func open(_ sealed: [UInt8], nonce: [UInt8], associatedData: [UInt8]) throws(CryptographyFailure)
        -> SecretBytes
    {
        guard sealed.count >= Self.tagLength else { throw Self.refusal }
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        try start(context, encrypts: false, nonce: nonce, associatedData: associatedData)
        let length = sealed.count - Self.tagLength
        // A byte more than needed, so that there is an address even where nothing was encrypted.
        var plaintext = [UInt8](repeating: 0, count: length + 1)
        var tag = Array(sealed[length...])
        var count: Int32 = 0
        let sound =
            (length == 0 || EVP_DecryptUpdate(context, &plaintext, &count, sealed, Int32(length)) > 0)
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagLength), &tag) > 0
            && EVP_DecryptFinal_ex(context, &tag, &count) > 0
        guard sound else {
            wipe(&plaintext)
            throw Self.refusal
        }
        let opened = SecretBytes(plaintext[..<length])
        wipe(&plaintext)
        return opened
    }

    private func start(_ context: OpaquePointer?, encrypts: Bool, nonce: [UInt8], associatedData: [UInt8])
        throws(CryptographyFailure)
    {
        guard nonce.count == 12 || nonce.count == 16 else {
            throw CryptographyFailure("The nonce must have 12 or 16 bytes.")
        }
        let direction: Int32 = encrypts ? 1 : 0
        var count: Int32 = 0
        let sound =
            EVP_CipherInit_ex2(context, OpenSSL.shared.aes256GCM, nil, nil, direction, nil) > 0
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) > 0
            && key.withUnsafeBytes { key in
                EVP_CipherInit_ex2(context, nil, key.bindMemory(to: UInt8.self).baseAddress, nonce, direction, nil) > 0
            }
            && (associatedData.isEmpty
                || EVP_CipherUpdate(context, nil, &count, associatedData, Int32(associatedData.count)) > 0)
        guard sound else { throw OpenSSL.failure("The cipher could not be set up.") }
    }

    private static var refusal: CryptographyFailure {
        OpenSSL.failure("The sealed bytes were altered, cut, or sealed with another key.")
    }
}
