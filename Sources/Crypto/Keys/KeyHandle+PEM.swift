import COpenSSL
import ProviderKit
import SecretMemory

extension KeyHandle {
    /// The private key in a PEM text, its two halves checked against one another.
    static func privateKey(pem: SecretText) throws(CryptographyFailure) -> KeyHandle {
        var reader = PEMReader(pem, subject: "The key")
        let blocks = try reader.blocks().filter { $0.label != "EC PARAMETERS" }
        guard let block = blocks.first else { throw CryptographyFailure("The key text holds curve parameters only.") }
        guard blocks.count == 1 else {
            throw CryptographyFailure("The key text holds \(blocks.count) PEM blocks; one private key is needed.")
        }
        switch block.label {
        case "PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY": break
        case "ENCRYPTED PRIVATE KEY":
            throw CryptographyFailure("The key is encrypted; give it without a passphrase.")
        case let label where label.hasSuffix("PUBLIC KEY"):
            throw CryptographyFailure("The key is a public key; the private key is needed.")
        case let label where label.hasSuffix("CERTIFICATE"):
            throw CryptographyFailure("The key text holds a certificate; the private key is needed.")
        case "OPENSSH PRIVATE KEY":
            throw CryptographyFailure("The key is in OpenSSH's own form; PKCS#8 (BEGIN PRIVATE KEY) is needed.")
        default: throw CryptographyFailure("The key text holds a \(block.label), which is no private key.")
        }
        let decoded = block.der.withUnsafeBytes { buffer in
            var position = buffer.bindMemory(to: UInt8.self).baseAddress
            let end = position.map { $0 + buffer.count }
            let key = KeyHandle(d2i_AutoPrivateKey(nil, &position, buffer.count))
            return position == end ? key : nil
        }
        guard let key = decoded else {
            throw OpenSSL.failure("The key is damaged: its base64 is whole, but not of a private key.")
        }
        let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_pairwise_check(context) > 0 else {
            throw OpenSSL.failure("The key is damaged: its private and its public half do not belong together.")
        }
        return key
    }

    /// The private key in PKCS#8, as PEM text without a passphrase.
    func pem() throws(CryptographyFailure) -> SecretText {
        let bio = BIO_new(BIO_s_secmem())
        defer { BIO_free(bio) }
        guard PEM_write_bio_PKCS8PrivateKey(bio, pointer, nil, nil, 0, nil, nil) > 0,
            let text = SecretText(utf8: SecretBytes(contentsOf: bio))
        else { throw OpenSSL.failure("The key could not be written.") }
        return text
    }
}

extension SecretBytes {
    /// What was written into OpenSSL's memory so far.
    init(contentsOf bio: OpaquePointer?) {
        var contents: UnsafeMutablePointer<CChar>?
        let count = passgate_bio_contents(bio, &contents)
        let bytes = UnsafeRawBufferPointer(start: contents, count: max(count, 0))
        self.init(copying: bytes.bindMemory(to: UInt8.self))
    }
}
