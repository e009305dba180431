public import PassgateContract

extension Passgate {
    /// Says to which wallets a card can be added, and with which handoff.
    ///
    /// - Parameter accept: What the app build knows: the plans are made for that.
    public func wallets(
        of card: String, accept: [HandoffType]? = nil, wallet: Wallet? = nil, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> [WalletEligibility] {
        let words = accept.map { $0.map(\.rawValue).joined(separator: ",") }
        let page: Page<WalletEligibility> = try await send(
            .get("v1", "cards", card, "wallets", query: [("accept", words), ("wallet", wallet?.rawValue)]), options)
        return page.data
    }

    /// The same for all cards of a cardholder, within three seconds: for wallet extensions.
    public func wallets(
        ofCardholder id: String, wallet: Wallet? = nil, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> [WalletEligibility] {
        let page: Page<WalletEligibility> = try await send(
            .get("v1", "cardholders", id, "wallets", query: [("wallet", wallet?.rawValue)]), options)
        return page.data
    }

    /// Says what the app's button should do.
    public func walletButton(
        of card: String, _ question: ButtonQuestion, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> WalletButton {
        try await send(.post("v1", "cards", card, "wallet_button", body: question, takesKey: false), options)
    }
}
