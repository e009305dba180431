public import Provisioning
public import SecretMemory

/// The HMAC-SHA256 of a delivery, under any of a connection's secrets: two are in force while one replaces the other.
public struct WebhookMAC: Sendable {
    /// How many signatures one delivery may have.
    private static let signatureLimit = 16

    private let keys: [SecretBytes]
    private let cryptography: any AdapterCryptography

    /// Makes one of the keys' bytes, the current first. An empty key is none.
    public init(keys: [SecretBytes], cryptography: any AdapterCryptography) {
        self.keys = keys.filter { !$0.isEmpty }
        self.cryptography = cryptography
    }

    /// Checks that there is a key at all.
    ///
    /// - Throws: `noSecret`.
    public func checkReadiness() throws(WebhookRefusal) { if keys.isEmpty { throw .noSecret } }

    /// Checks that one of the signatures is the MAC of the pieces under one of the keys. Every pair is compared, in time
    /// that depends on lengths alone.
    ///
    /// - Throws: `noSecret`, `malformed` where there is no signature at all, or `noMatch`.
    public func check(_ signatures: [SecretBytes], of pieces: [SecretBytes]) throws(WebhookRefusal) {
        try checkReadiness()
        guard (1...Self.signatureLimit).contains(signatures.count) else { throw .malformed }
        var isMatch = false
        for key in keys {
            let expected = cryptography.hmacSHA256(key: key, pieces)
            for signature in signatures where cryptography.constantTimeEquals(signature.reveal(), expected) {
                isMatch = true
            }
        }
        if !isMatch { throw .noMatch }
    }
}
