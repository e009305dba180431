import Catalogue
import JSON
import ProviderConformance
import ProviderKit
import Provisioning
import Sandbox

@testable import passgate_lab

/// One call to a processor, as the matrix puts it before faults: that of a provisioning, or one of the two with which a
/// card's owner is learnt.
struct MatrixCall: Sendable {
    /// What the platform asks for when the call is made.
    enum Use: Sendable, Equatable {
        /// A provisioning for the row, with or without a session of Google's.
        case provision(WalletSupport, hasSession: Bool)
        /// A binding, at a processor that knows whose card it is: the card is read.
        case readCard
        /// The same, up to the access token with which the card is read.
        case accessToken
    }

    /// The provider's id.
    let provider: String
    /// The emulator's name.
    let emulator: String
    /// Which call, in a few words.
    let name: String
    /// When it is made.
    let use: Use
    /// Whether the adapter calls upstream at all.
    let callsUpstream: Bool
    /// Whether the call may be made again after it was sent.
    let isRepeatable: Bool

    /// Whether the call uses a handshake up that no other call may use.
    var spendsHandshake: Bool {
        guard case .provision(let row, let hasSession) = use else { return false }
        return row.handshake == .applePay || (hasSession && !isRepeatable)
    }

    /// Whether it is the call of a provisioning.
    var isProvisioning: Bool {
        if case .provision = use { true } else { false }
    }

    /// Every call that there is: a row of each descriptor, twice where a session makes a difference; and the reads of
    /// Checkout.com, which has no other calls.
    static let all: [MatrixCall] = emulators(network: SimulatedNetwork()).flatMap { emulator in
        let descriptor = ProviderCatalogue.all.first { $0.descriptor.id == emulator.provider }?.descriptor
        let provisionings = (descriptor?.wallets ?? []).flatMap { row in
            sessions(of: row).map { provision(row, hasSession: $0, at: emulator) }
        }
        let reads: [MatrixCall] =
            emulator.provider == "checkout"
            ? [
                MatrixCall(
                    provider: emulator.provider, emulator: emulator.name, name: "card read", use: .readCard,
                    callsUpstream: true, isRepeatable: true),
                MatrixCall(
                    provider: emulator.provider, emulator: emulator.name, name: "access token", use: .accessToken,
                    callsUpstream: true, isRepeatable: true),
            ] : []
        return provisionings + reads
    }

    /// The emulators of the laboratory, new.
    static func emulators(network: SimulatedNetwork) -> [any Emulator] {
        EmulatorCatalogue.emulators(json: JSONParser(), network: network)
    }

    private static func sessions(of row: WalletSupport) -> [Bool] {
        switch row.handshake {
        case .googlePayDevice: [false, true]
        case .googlePaySession: [true]
        case .applePay, .none: [false]
        }
    }

    private static func provision(_ row: WalletSupport, hasSession: Bool, at emulator: any Emulator) -> MatrixCall {
        let wallet = row.wallet == .applePay ? "Apple" : "Google"
        let channel = row.channel == .web ? " web" : ""
        let session = row.handshake == .googlePayDevice && hasSession ? " with session" : ""
        return MatrixCall(
            provider: emulator.provider, emulator: emulator.name, name: wallet + channel + session,
            use: .provision(row, hasSession: hasSession),
            callsUpstream: emulator.exchanges(for: .provision(row)) > 0,
            isRepeatable: pinned(row, hasSession: hasSession, at: emulator.provider)
                ?? (row.repeatRule == .once || (row.repeatRule == .onceWithoutSession && !hasSession)))
    }

    /// Whether the design lets the call be repeated; nil for a processor that it does not name.
    private static func pinned(_ row: WalletSupport, hasSession: Bool, at provider: String) -> Bool? {
        switch (provider, row.wallet, row.channel) {
        case ("stripe", _, _), ("checkout", _, _), ("thales", _, _): true
        case ("imprint", .applePay, _), ("increase", .applePay, _): false
        case ("imprint", .googlePay, _): true
        case ("increase", .googlePay, .inApp): !hasSession
        case ("increase", .googlePay, .web): false
        default: nil
        }
    }

    /// A device that makes the call's handshake.
    func device(network: SimulatedNetwork) throws(DeviceFailure) -> any SimulatedDevice {
        guard case .provision(let row, let hasSession) = use, row.wallet == .googlePay else {
            return try SimulatedPhone(network: network)
        }
        return row.channel == .web
            ? SimulatedBrowser(network: network) : SimulatedAndroidPhone(network: network, hasSession: hasSession)
    }
}
