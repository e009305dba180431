import COpenSSL
public import ProviderKit
public import SecretMemory

/// An RSA key, made here: for simulated issuers and processors, and for tests.
public struct RSAPrivateKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    private let handle: KeyHandle

    /// Makes a new key; at 2048 bits that takes a moment, at more a few.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public init(bits: Int = 2048) throws(CryptographyFailure) {
        guard (1024...4096).contains(bits), let handle = KeyHandle(passgate_rsa_generate(bits)) else {
            throw OpenSSL.failure("No key could be made.")
        }
        self.handle = handle
        publicKey = try PublicKey(handle)
    }

    /// The key in PKCS#8, as PEM text.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public func pem() throws(CryptographyFailure) -> SecretText { try handle.pem() }

    /// Opens a CMS EnvelopedData for this key alone, and tells how its content key travelled.
    ///
    /// It is as strict as an envelope is made: AES-256-CBC, and one of the key transports whole. An envelope in DER with
    /// other algorithms, such as OAEP whose MGF1 is left at SHA-1, is refused before anything is decrypted.
    ///
    /// - Throws: `CryptographyFailure` where it is none, has other algorithms, or is for another key.
    public func open(envelope: SecretBytes) throws(CryptographyFailure) -> (
        content: SecretBytes, keyTransport: KeyTransport
    ) {
        let der = envelope.reveal()
        guard let parameters = EnvelopeParameters(der: der) else {
            throw OpenSSL.failure("This is not one CMS EnvelopedData in DER for the holder of one RSA key.")
        }
        guard let transport = KeyTransport.allCases.first(where: { EnvelopeParameters($0) == parameters }) else {
            throw CryptographyFailure("The envelope has other algorithms than those that were agreed on.")
        }
        let cms = der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return d2i_CMS_ContentInfo(nil, &position, buffer.count)
        }
        let output = BIO_new(BIO_s_secmem())
        defer {
            CMS_ContentInfo_free(cms)
            BIO_free(output)
        }
        guard CMS_decrypt(cms, handle.pointer, nil, nil, output, UInt32(CMS_BINARY)) > 0 else {
            throw OpenSSL.failure("The envelope does not open with this key.")
        }
        return (SecretBytes(contentsOf: output), transport)
    }
}
