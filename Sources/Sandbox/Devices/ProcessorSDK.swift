public import ProviderKit
public import Provisioning

/// A processor's own SDK in the app, where the handoff is meant for it and not for the wallet.
///
/// The app shows it the handoff. It talks to the processor by itself, which checks the handoff and adds the card.
public protocol ProcessorSDK: Sendable {
    /// The handoff that it takes.
    var handoff: HandoffType { get }

    /// Writes what the app says about the SDK in a provisioning request, such as `client`.
    func writeMembers(into json: inout JSONWriter)

    /// Shows the processor the facade's handoff, as the SDK does.
    ///
    /// - Throws: ``DeviceFailure``, where the processor does not take it.
    func redeem(_ handoff: JSONView, for wallet: Wallet) async throws(DeviceFailure) -> DeviceVerdict
}

extension ProcessorSDK {
    /// Most SDKs need nothing of the request.
    public func writeMembers(into json: inout JSONWriter) {}
}
