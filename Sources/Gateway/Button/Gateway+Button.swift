public import Provisioning
public import Storage

extension Gateway {
    /// What the app's button for one wallet should do, from what the processor says of the card and the app of its device.
    ///
    /// A processor that gives no answer hides the button; it is no failure of the request.
    ///
    /// - Throws: `wallet_unsupported` for a wallet that the program does not have; `card_not_found`; `binding_missing`.
    public func walletButton(of card: CardKey, wallet: Wallet, device: DeviceFacts) async throws(Problem)
        -> WalletButton
    {
        guard let program = directory.programs[card.program] else { throw Problem(.programNotFound) }
        guard program.wallets.contains(wallet), wallet != .samsungPay else { throw Problem(.walletUnsupported) }
        let side = try servingSide(of: try await self.card(card))
        let (binding, connection) = (side.binding, side.connection)
        let opinion = await opinion(of: binding, wallet: wallet, at: connection, deadline: .now + Self.walletPatience)
        return WalletButton(
            facts: ButtonFacts(
                wallet: wallet, eligibility: opinion.eligibility, provider: connection.descriptor.id,
                connection: connection.name, hasActivationCredential: connection.hasCredential(for: .activate),
                device: device,
                digitization: device.digitizationState.flatMap { meaning(of: $0, at: connection) },
                last4: binding.last4))
    }

    /// What a word of an SDK means: the serving provider's, or another's where the app was built for that one.
    private func meaning(of word: String, at connection: Connection) -> DigitizationState? {
        for provider in [type(of: connection.provider)] + directory.providers {
            if let state = (provider as? any DigitizationVocabulary.Type)?.digitizationStates[word] { return state }
        }
        return nil
    }
}
