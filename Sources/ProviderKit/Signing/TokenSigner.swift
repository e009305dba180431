public import SecretMemory

/// Makes signed JSON Web Tokens (RFC 7519, compact form) with one private key.
public struct TokenSigner: Sendable {
    /// The `kid` that the verifier knows the key by.
    public let keyID: String
    private let key: any JWTSigning
    private let header: SecretBytes

    /// Makes a signer.
    ///
    /// - Parameter namesType: Whether the header says `"typ":"JWT"`.
    public init(keyID: String, key: any JWTSigning, namesType: Bool) {
        self.keyID = keyID
        self.key = key
        var json = JSONWriter(capacity: 128)
        json.object { json in
            if namesType { json.member("typ", "JWT") }
            json.member("alg", key.algorithm)
            json.member("kid", keyID)
        }
        header = Base64.encode(json.finish(), alphabet: .urlSafe, padded: false)
    }

    /// A token with the claims that `claims` writes, in that order.
    ///
    /// - Throws: ``CryptographyFailure`` where the key cannot sign.
    public func token(claims: (inout JSONWriter) -> Void) throws(CryptographyFailure) -> SecretText {
        var json = JSONWriter(capacity: 512)
        json.object(claims)
        var builder = SecretBuilder(capacity: 1024)
        builder.append(header)
        builder.append(0x2e)
        let payload = json.finish()
        payload.withSpan { Base64.encode($0, alphabet: .urlSafe, padded: false, into: &builder) }
        let signed = builder.finish()
        let signature = try key.signature(of: signed)
        var token = SecretBuilder(capacity: signed.count + 1 + signature.count * 4 / 3 + 4)
        token.append(signed)
        token.append(0x2e)
        Base64.encode(signature.span, alphabet: .urlSafe, padded: false, into: &token)
        guard let text = SecretText(utf8: token.finish()) else {
            throw CryptographyFailure("The token is not text.")
        }
        return text
    }
}
