import COpenSSL
public import ProviderKit
public import Provisioning

/// Issues X.509 certificates, signed on P-256: for simulated devices and processors, and for tests.
public struct CertificateAuthority: Sendable {
    /// Its own certificate.
    public let certificate: Certificate
    private let key: P256PrivateKey

    /// A root: its own certificate is signed by itself.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public static func root(named name: String, from start: Timestamp, until end: Timestamp) throws(CryptographyFailure)
        -> CertificateAuthority
    {
        let key = try P256PrivateKey()
        let certificate = try sign(
            CertificateRequest(name: name, key: key.publicKey, isAuthority: true, start: start, end: end),
            issuer: nil, key: key)
        return CertificateAuthority(certificate: certificate, key: key)
    }

    /// An authority below this one.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public func intermediate(named name: String, from start: Timestamp, until end: Timestamp)
        throws(CryptographyFailure)
        -> CertificateAuthority
    {
        let key = try P256PrivateKey()
        let certificate = try Self.sign(
            CertificateRequest(name: name, key: key.publicKey, isAuthority: true, start: start, end: end),
            issuer: self.certificate, key: self.key)
        return CertificateAuthority(certificate: certificate, key: key)
    }

    /// A certificate for the holder of a key, who issues none.
    ///
    /// - Throws: `CryptographyFailure` where OpenSSL fails.
    public func issue(to name: String, key: PublicKey, from start: Timestamp, until end: Timestamp)
        throws(CryptographyFailure) -> Certificate
    {
        try Self.sign(
            CertificateRequest(name: name, key: key, isAuthority: false, start: start, end: end),
            issuer: certificate, key: self.key)
    }

    private struct CertificateRequest {
        let name: String
        let key: PublicKey
        let isAuthority: Bool
        let start: Timestamp
        let end: Timestamp
    }

    private static func sign(_ request: CertificateRequest, issuer: Certificate?, key: P256PrivateKey)
        throws(CryptographyFailure) -> Certificate
    {
        let made = X509_new()
        let parent = issuer.flatMap { issuer in
            issuer.der.withUnsafeBufferPointer { buffer in
                var position = buffer.baseAddress
                return d2i_X509(nil, &position, buffer.count)
            }
        }
        defer {
            X509_free(made)
            X509_free(parent)
        }
        guard let made, fill(made, request, parent: parent),
            X509_sign(made, key.handle.pointer, OpenSSL.shared.sha256) > 0, let der = encoded({ i2d_X509(made, $0) })
        else { throw OpenSSL.failure("The certificate could not be made.") }
        return try Certificate(der: der)
    }

    private static func fill(_ made: OpaquePointer, _ request: CertificateRequest, parent: OpaquePointer?) -> Bool {
        let serial = SecureRandom.bytes(16)
        let number = BN_bin2bn([serial[0] & 0x7f | 0x40] + serial[1...], 16, nil)
        defer { BN_free(number) }
        let name = Array(request.name.utf8)
        let subject = X509_get_subject_name(made)
        guard X509_set_version(made, 2) > 0, BN_to_ASN1_INTEGER(number, X509_get_serialNumber(made)) != nil,
            ASN1_TIME_set(X509_getm_notBefore(made), time_t(request.start.seconds)) != nil,
            ASN1_TIME_set(X509_getm_notAfter(made), time_t(request.end.seconds)) != nil,
            X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, name, Int32(name.count), -1, 0) > 0,
            X509_set_issuer_name(made, parent.map { X509_get_subject_name($0) } ?? subject) > 0,
            X509_set_pubkey(made, request.key.handle.pointer) > 0
        else { return false }
        let purpose = request.key.kind == .p256 ? "keyAgreement" : "keyEncipherment"
        let extensions = [
            (NID_basic_constraints, request.isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE"),
            (
                NID_key_usage,
                request.isAuthority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature,\(purpose)"
            ),
            (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
        ]
        return extensions.allSatisfy { passgate_add_extension(made, parent ?? made, $0.0, $0.1) > 0 }
    }
}
