/// A provider whose SDK needs short-lived credentials beside the provisioning itself.
public protocol WalletCredentials: ProvisioningProvider {
    /// Makes a credential.
    ///
    /// - Throws: `operation_unsupported` where the provider has none for that purpose.
    func credential(_ request: WalletCredentialRequest) async throws(ProvisioningError) -> WalletCredential
}
