import COpenSSL
import ProviderKit
import SecretMemory

/// Makes CMS EnvelopedData (RFC 5652) with AES-256-CBC for the holder of one RSA certificate.
///
/// Safe to share: OpenSSL counts the certificate's references atomically, and it is not changed any more.
final class EnvelopeMaker: EnvelopeMaking, @unchecked Sendable {
    private let certificate: OpaquePointer
    private let keyTransport: KeyTransport

    init(certificate: Certificate, keyTransport: KeyTransport) throws(CryptographyFailure) {
        guard case .rsa(let bits) = try certificate.publicKey().kind, bits >= 2048 else {
            throw CryptographyFailure("The certificate's key must be an RSA key of at least 2048 bits.")
        }
        let decoded = certificate.der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return d2i_X509(nil, &position, buffer.count)
        }
        guard let decoded else { throw OpenSSL.failure("The certificate cannot be read.") }
        self.certificate = decoded
        self.keyTransport = keyTransport
    }

    deinit { X509_free(certificate) }

    func envelope(_ content: SecretBytes) throws(CryptographyFailure) -> SecretBytes {
        let der = try content.withUnsafeBytes { (buffer) throws(CryptographyFailure) in
            if !buffer.isEmpty { return try encrypt(buffer) }
            // OpenSSL asks for an address even where there is nothing.
            return try withUnsafeBytes(of: UInt8(0)) { (byte) throws(CryptographyFailure) in
                try encrypt(UnsafeRawBufferPointer(rebasing: byte[..<0]))
            }
        }
        guard EnvelopeParameters(der: der) == EnvelopeParameters(keyTransport) else {
            throw OpenSSL.failure("The envelope was not made with the algorithms that were asked for.")
        }
        return SecretBytes(der)
    }

    private func encrypt(_ content: UnsafeRawBufferPointer) throws(CryptographyFailure) -> [UInt8] {
        let flags = UInt32(CMS_PARTIAL | CMS_BINARY)
        let cms = CMS_encrypt(nil, nil, EVP_aes_256_cbc(), flags)
        let input = BIO_new_mem_buf(content.baseAddress, Int32(content.count))
        defer {
            CMS_ContentInfo_free(cms)
            BIO_free(input)
        }
        guard let cms, let recipient = CMS_add1_recipient_cert(cms, certificate, flags | UInt32(CMS_KEY_PARAM)) else {
            throw OpenSSL.failure("The envelope could not be addressed to the certificate.")
        }
        if keyTransport == .oaepSHA256 {
            guard passgate_use_oaep_sha256(CMS_RecipientInfo_get0_pkey_ctx(recipient)) > 0 else {
                throw OpenSSL.failure("The certificate's key does not take RSA-OAEP.")
            }
        }
        guard CMS_final(cms, input, nil, UInt32(CMS_BINARY)) > 0,
            let der = encoded({ i2d_CMS_ContentInfo(cms, $0) })
        else { throw OpenSSL.failure("The envelope could not be made.") }
        return der
    }
}
