public import Provisioning

extension UpstreamAnswer {
    /// The encrypted pass whose parts are members of `pass`, by the names that PassKit's own have in snake case.
    ///
    /// The name of the key's member tells the scheme: a key never gets into the other scheme's field. Where there is an
    /// `encryption_version`, it is told and never matched, because its spelling has changed before.
    ///
    /// - Throws: `provider_contract_violation` where a part is missing, or is not standard base64 on one line.
    public func applePayPass(in pass: JSONView) throws(ProvisioningError) -> ApplePayPass {
        let key: ApplePayPass.Key
        if let publicKey = try optionalBase64("ephemeral_public_key", in: pass) {
            key = .ephemeralPublicKey(publicKey)
        } else if let wrappedKey = try optionalBase64("wrapped_key", in: pass) {
            key = .wrappedKey(wrappedKey)
        } else {
            throw violation("has no ephemeral_public_key")
        }
        return ApplePayPass(
            activationData: try base64("activation_data", in: pass),
            encryptedPassData: try base64("encrypted_pass_data", in: pass), key: key,
            encryptionVersion: pass["encryption_version"]?.string)
    }
}
