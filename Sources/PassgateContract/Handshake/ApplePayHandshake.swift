public import Foundation

/// What PassKit gives the app for one attempt. It is single-use, and never shown.
public struct ApplePayHandshake: Codable, Hashable, Sendable, Concealed {
    /// The leaf certificate, then the intermediate, in base64.
    public var certificates: [String]
    /// The nonce.
    public var nonce: String
    /// The leaf's signature over the nonce.
    public var nonceSignature: String
    /// How nonce and signature are written; nil leaves it to the gateway, which refuses what reads both ways.
    public var encoding: HandshakeEncoding?

    /// Makes a handshake of what `PKAddPaymentPassViewControllerDelegate` is given, unchanged.
    ///
    /// - Parameter certificates: The chain in the order that PassKit gives it: the leaf first.
    public init(certificates: [Data], nonce: Data, nonceSignature: Data) {
        self.init(
            certificates: certificates.map { $0.base64EncodedString() }, nonce: nonce.base64EncodedString(),
            nonceSignature: nonceSignature.base64EncodedString(), encoding: .base64)
    }

    /// Makes a handshake of texts, for backends whose app writes them in a form of its own.
    public init(certificates: [String], nonce: String, nonceSignature: String, encoding: HandshakeEncoding?) {
        self.certificates = certificates
        self.nonce = nonce
        self.nonceSignature = nonceSignature
        self.encoding = encoding
    }

    enum CodingKeys: String, CodingKey {
        case certificates, nonce, encoding
        case nonceSignature = "nonce_signature"
    }
}
