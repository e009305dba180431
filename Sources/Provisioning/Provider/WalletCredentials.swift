/// A provider whose SDK needs short-lived credentials beside the provisioning itself.
public protocol WalletCredentials: ProvisioningProvider {
    /// What it has credentials for. The gateway asks for no other.
    static var credentialPurposes: Set<WalletCredentialPurpose> { get }

    /// Makes a credential.
    ///
    /// - Throws: `operation_unsupported` for a purpose that is not in ``credentialPurposes``.
    func credential(_ request: WalletCredentialRequest) async throws(ProvisioningError) -> WalletCredential
}
