import COpenSSL
public import ProviderKit
public import SecretMemory

/// A public key: RSA, or elliptic on P-256.
public struct PublicKey: Sendable {
    /// What kind of key it is.
    public enum Kind: Sendable, Equatable {
        /// Elliptic, on P-256.
        case p256
        /// RSA, with the length of its modulus.
        case rsa(bits: Int)
    }

    /// What kind of key it is.
    public let kind: Kind
    let handle: KeyHandle

    init(_ handle: KeyHandle?) throws(CryptographyFailure) {
        guard let handle else { throw OpenSSL.failure("This is no public key that can be read.") }
        self.handle = handle
        if handle.isP256 {
            kind = .p256
        } else if handle.isRSA {
            kind = .rsa(bits: handle.bits)
        } else {
            throw CryptographyFailure("The public key is \(handle.kind); P-256 or RSA is needed.")
        }
    }

    /// Reads a SubjectPublicKeyInfo in DER.
    ///
    /// - Throws: `CryptographyFailure` where it is none, or its key is of another kind.
    public init(der: [UInt8]) throws(CryptographyFailure) {
        try self.init(
            der.withUnsafeBufferPointer { buffer in
                var position = buffer.baseAddress
                let key = KeyHandle(d2i_PUBKEY(nil, &position, buffer.count))
                return position == buffer.baseAddress.map { $0 + buffer.count } ? key : nil
            })
    }

    /// Reads PEM text that holds a public key or a certificate.
    ///
    /// - Throws: `CryptographyFailure` where it holds neither.
    public init(pem: String) throws(CryptographyFailure) {
        var reader = PEMReader(SecretText(pem), subject: "The public key")
        let block = try reader.blocks()[0]
        switch block.label {
        case "PUBLIC KEY": try self.init(der: block.der.reveal())
        case "CERTIFICATE": self = try Certificate(der: block.der.reveal()).publicKey()
        default: throw CryptographyFailure("The public key text holds a \(block.label).")
        }
    }

    /// Takes an uncompressed point on P-256: 65 bytes, the first of them 4.
    ///
    /// - Throws: `CryptographyFailure` where it is not on the curve.
    public init(p256Point: [UInt8]) throws(CryptographyFailure) {
        guard p256Point.count == 65, p256Point[0] == 4 else {
            throw CryptographyFailure("A point on P-256 must have 65 bytes, the first of them 4.")
        }
        try self.init(KeyHandle(passgate_p256_public(p256Point, p256Point.count)))
    }

    /// Takes the coordinates of a point on P-256, 32 bytes each, as a JWK's `x` and `y` say them.
    ///
    /// - Throws: `CryptographyFailure` where it is not on the curve.
    public init(p256X: [UInt8], y: [UInt8]) throws(CryptographyFailure) {
        guard p256X.count == 32, y.count == 32 else {
            throw CryptographyFailure("A coordinate on P-256 must have 32 bytes.")
        }
        try self.init(p256Point: [4] + p256X + y)
    }

    /// Takes an RSA key's modulus and exponent, big endian, as a JWK's `n` and `e` say them.
    ///
    /// - Throws: `CryptographyFailure` where they make no key.
    public init(rsaModulus: [UInt8], exponent: [UInt8]) throws(CryptographyFailure) {
        guard !rsaModulus.isEmpty, rsaModulus.count <= 2048, !exponent.isEmpty, exponent.count <= 8 else {
            throw CryptographyFailure("An RSA key needs a modulus and an exponent.")
        }
        try self.init(
            KeyHandle(passgate_rsa_public(rsaModulus, rsaModulus.count, exponent, exponent.count)))
    }

    /// The SubjectPublicKeyInfo in DER.
    public var der: [UInt8] { encoded { i2d_PUBKEY(handle.pointer, $0) } ?? [] }

    /// The uncompressed point, 65 bytes; nil for RSA.
    public var p256Point: [UInt8]? {
        guard kind == .p256 else { return nil }
        var point = [UInt8](repeating: 0, count: 65)
        var count = 0
        guard
            EVP_PKEY_get_octet_string_param(handle.pointer, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &count) > 0,
            count == 65
        else { return nil }
        return point
    }

    /// Whether the signature over the bytes is this key's: ES256 (64 bytes r‖s) or RS256, by the kind of key.
    public func verifiesJWT(_ signature: [UInt8], of bytes: SecretBytes) -> Bool {
        guard kind == .p256 else { return verifies(signature, of: bytes) }
        guard let der = ECDSASignature.der(fixed: signature) else { return false }
        return verifies(der, of: bytes)
    }

    /// Whether the signature over the bytes, with SHA-256, is this key's: ECDSA in DER, or RSA PKCS#1 v1.5.
    public func verifies(_ signature: [UInt8], of bytes: SecretBytes) -> Bool {
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard EVP_DigestVerifyInit_ex(context, nil, "SHA2-256", nil, nil, handle.pointer, nil) > 0 else { return false }
        return bytes.withUnsafeBytes { buffer in
            EVP_DigestVerify(
                context, signature, signature.count, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count) == 1
        }
    }
}
