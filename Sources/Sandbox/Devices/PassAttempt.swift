import Crypto
public import ProviderKit
public import SecretMemory

/// PassKit's side of one attempt: certificates, nonce and signature out, an encrypted pass in.
public struct PassAttempt: DeviceAttempt {
    /// The leaf, then the intermediate, in DER.
    public let certificates: [[UInt8]]
    /// The single-use nonce.
    public let nonce: SecretBytes
    /// The leaf's signature over the nonce.
    public let nonceSignature: SecretBytes
    let network: SimulatedNetwork
    let key: P256PrivateKey

    /// Nonce and signature.
    public var secrets: [SecretBytes] { [nonce, nonceSignature] }

    /// Writes `apple_pay`.
    public func writeHandshake(into json: inout JSONWriter) {
        json.member(
            "apple_pay",
            object: { json in
                json.member(
                    "certificates",
                    array: { json in
                        for certificate in certificates { json.value(base64: SecretBytes(certificate)) }
                    })
                json.member("nonce", base64: nonce)
                json.member("nonce_signature", base64: nonceSignature)
                json.member("encoding", "base64")
            })
    }

    /// Checks the activation data, and decrypts the pass with the leaf's key.
    public func finish(_ handoff: JSONView) throws(DeviceFailure) -> DeviceVerdict {
        guard handoff["type"]?.equals("apple_pay_pass") == true else {
            throw DeviceFailure("the handoff is no encrypted pass")
        }
        let pass = SealedPass(
            activationData: try bytes("activation_data", of: handoff),
            encryptedPassData: try bytes("encrypted_pass_data", of: handoff),
            ephemeralPublicKey: try bytes("ephemeral_public_key", of: handoff))
        guard pass.ephemeralPublicKey.count == 65 else {
            throw DeviceFailure("the ephemeral key is not an uncompressed point of 65 bytes")
        }
        guard network.accepts(pass, nonce: nonce) else {
            throw DeviceFailure("the activation data is not the network's for this pass and nonce")
        }
        let content = try? PassCipher.open(
            pass.encryptedPassData.reveal(), ephemeralPoint: pass.ephemeralPublicKey.reveal(), with: key)
        guard let content, let token = SimulatedNetwork.token(content, purpose: "pass") else {
            throw DeviceFailure("the pass does not open with this device's key")
        }
        return DeviceVerdict(deed: "decrypted the pass", token: token)
    }

    private func bytes(_ name: String, of handoff: JSONView) throws(DeviceFailure) -> SecretBytes {
        guard let text = handoff[name]?.secretText, !text.isEmpty, let bytes = Base64.decode(text.bytes) else {
            throw DeviceFailure("the handoff's \(name) is not base64")
        }
        return bytes
    }
}
