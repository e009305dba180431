public import Provisioning
public import Storage

extension Gateway {
    /// A short-lived credential that a provider's SDK needs beside provisioning. It is no attempt and leaves no record.
    ///
    /// - Throws: `operation_unsupported` where the serving provider has none for that purpose.
    public func credential(
        for purpose: WalletCredentialPurpose, of card: CardKey, wallet: Wallet?, token: String?
    ) async throws(Problem) -> WalletCredential {
        guard let program = directory.programs[card.program] else { throw Problem(.programNotFound) }
        if let wallet, !program.wallets.contains(wallet) { throw Problem(.walletUnsupported) }
        let side = try servingSide(of: try await self.card(card))
        let (binding, connection) = (side.binding, side.connection)
        guard let provider = connection.provider as? any WalletCredentials, connection.hasCredential(for: purpose)
        else {
            throw Problem(
                .operationUnsupported,
                detail: "\(connection.descriptor.displayName) has no credential for `\(purpose.rawValue)`.",
                provider: ProviderReport(id: connection.descriptor.id, connection: connection.name, upstream: nil))
        }
        do throws(ProvisioningError) {
            return try await provider.credential(
                WalletCredentialRequest(
                    purpose: purpose, card: binding, wallet: wallet, token: token,
                    deadline: .now + Self.walletPatience))
        } catch {
            throw Problem(provider: error, at: connection, repeatable: true, record: nil)
        }
    }
}
