/// An issuing processor that can put its cards into wallets.
///
/// **To implement it:** translate one request into the processor's calls and its answer back, and nothing more. Call
/// upstream once per request; never try again, never sleep, keep no state, log nothing.
///
/// **What may be relied on:** the caller is authenticated, the card is resolved to its binding, the wallet and channel
/// are in ``descriptor``, the handshake holds what the descriptor asks for as raw bytes, and it is reserved. The gateway
/// alone decides whether to try again.
public protocol ProvisioningProvider: Sendable {
    /// Who the provider is and what it can do.
    static var descriptor: ProviderDescriptor { get }

    /// The rows of ``descriptor`` that this connection serves: all of them, unless its settings turn some off. The
    /// gateway asks for no other.
    var offers: [WalletSupport] { get }

    /// Checks what only the provider can judge of a binding before it is kept: that a domestic scheme has its product id,
    /// say. The id has matched the descriptor's pattern. Makes no call.
    ///
    /// - Throws: `invalid_request` with a pointer relative to the binding, such as `/product_id`.
    func check(_ binding: CardBinding) throws(ProvisioningError)

    /// Checks what only the provider can judge, before the handshake is spent: the app SDK's version, a payload that the
    /// platform encrypted itself. Makes no call.
    ///
    /// - Throws: The failure, always with the outcome `notSent`.
    func check(_ request: ProvisioningRequest) throws(ProvisioningError)

    /// Obtains what the app needs to add the card.
    ///
    /// - Throws: The normalized failure. No upstream error passes through untranslated; a cancelled task is reported
    ///   with the outcome that the transport told.
    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff

    /// Asks whether the card can be added to the wallet.
    ///
    /// - Parameter deadline: When the answer is no longer wanted.
    /// - Throws: The normalized failure, where the processor gave no answer.
    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
}

extension ProvisioningProvider {
    /// Most connections serve all that their provider does.
    public var offers: [WalletSupport] { Self.descriptor.wallets }

    /// Most providers take every binding whose id has their form.
    public func check(_ binding: CardBinding) throws(ProvisioningError) {}

    /// Most providers have nothing to check beyond their descriptor.
    public func check(_ request: ProvisioningRequest) throws(ProvisioningError) {}
}
