import COpenSSL
public import ProviderKit
public import Provisioning

/// An X.509 certificate, read far enough to tell who issued it and how long it lasts. No signature is verified.
///
/// OpenSSL's own reader decodes the public key at once, which takes some 300 µs; ``publicKey()`` does that on demand.
public struct Certificate: Sendable, Equatable {
    /// The whole certificate in DER.
    public let der: [UInt8]
    /// The issuer's name in DER.
    public let issuer: [UInt8]
    /// The holder's name in DER.
    public let subject: [UInt8]
    /// The id of the key that signed it, where the certificate says so.
    public let authorityKeyID: [UInt8]?
    /// The id of the holder's key, where the certificate says so.
    public let subjectKeyID: [UInt8]?
    /// From when on it is valid.
    public let notBefore: Timestamp
    /// Until when it is valid.
    public let notAfter: Timestamp
    /// The holder's SubjectPublicKeyInfo in DER.
    public let publicKeyInfo: [UInt8]

    /// Reads one certificate in DER, with nothing after it.
    ///
    /// - Throws: `CryptographyFailure` where it is none.
    public init(der: [UInt8]) throws(CryptographyFailure) {
        let fields = der.withUnsafeBufferPointer { CertificateFields($0) }
        guard let fields else { throw OpenSSL.failure("This is not one X.509 certificate in DER.") }
        self.der = der
        issuer = fields.issuer
        subject = fields.subject
        authorityKeyID = fields.authorityKeyID
        subjectKeyID = fields.subjectKeyID
        notBefore = fields.notBefore
        notAfter = fields.notAfter
        publicKeyInfo = fields.publicKeyInfo
    }

    /// Whether issuer and subject are the same, as a root's are.
    public var isSelfIssued: Bool { issuer == subject }

    /// Whether this certificate's holder issued the other one, by name and, where both say it, by key id. A certificate
    /// does not issue itself in this sense.
    public func issued(_ other: Certificate) -> Bool {
        guard subject == other.issuer, der != other.der else { return false }
        guard let mine = subjectKeyID, let theirs = other.authorityKeyID else { return true }
        return mine == theirs
    }

    /// The holder's public key.
    ///
    /// - Throws: `CryptographyFailure` where it is damaged, or neither RSA nor on P-256.
    public func publicKey() throws(CryptographyFailure) -> PublicKey { try PublicKey(der: publicKeyInfo) }

    /// The same bytes are the same certificate.
    public static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }
}
