public import ProviderConformance
public import ProviderKit
import SecretMemory

/// A processor's API as this laboratory plays it: stateful, and strict about everything that the real one refuses.
///
/// **To implement it:** answer one request with one value. Never sleep and never touch a socket: a delay or a broken
/// connection is a member of the answer, and the sandbox carries it out. Keep state behind a mutex; calls overlap.
///
/// **What may be relied on:** the path has lost the emulator's prefix, the whole body has arrived, and a scripted fault
/// has had its turn already.
public protocol Emulator: Sendable {
    /// The first path segment: `increase` is served under `/increase`.
    var name: String { get }

    /// The id of the provider whose connections lead here; the emulator's name unless it says otherwise.
    var provider: String { get }

    /// The processor's name for people.
    var displayName: String { get }

    /// Cards that exist from the start, or on first use, and what each of them does.
    var magicIDs: [MagicID] { get }

    /// A card to show everything with.
    var demoCard: EmulatedCard { get }

    /// A card that always works, another one for each number; nil where there are no others than those in ``magicIDs``.
    func card(numbered number: Int) -> EmulatedCard?

    /// The processor's SDK in the app, where it has one; nil where the app hands what it gets to the wallet itself.
    var sdk: (any ProcessorSDK)? { get }

    /// A call to try by hand, as a shell command.
    func sampleCall(at baseURL: String) -> String

    /// What a gateway's configuration says to reach this emulator under the URL.
    func connection(at baseURL: String) -> EmulatedConnection

    /// A connection's settings with another address of the processor: what `conformance --against` needs. Nil where they
    /// name no address that it could stand for.
    func settings(_ settings: [(key: String, value: SettingValue)], at baseURL: String) -> [(
        key: String, value: SettingValue
    )]?

    /// How the conformance suite brings one of the processor's own situations about, and the words that it has for it; nil
    /// where it has none. Asked for the situations of which `Situation.isProcessorsOwn` says so; the others are the same
    /// everywhere, and staged with the card of ``ProviderConformance/Situation/cardExists``.
    func staging(of situation: Situation, for operation: Operation) -> Staging?

    /// How many requests an operation takes where all is well, such as one for an access token; 0 where the adapter
    /// answers by itself. The last is the one that a situation is about.
    func exchanges(for operation: Operation) -> Int

    /// The webhooks that the processor can be made to send of a token, by its own names for them.
    var webhookEvents: [String] { get }

    /// A webhook of that name as the processor would send it now, signed.
    ///
    /// - Parameter card: The card whose newest token it tells of; nil for the newest of all. Where there is none, the card
    ///   is added to Apple Pay first: the demo's where none is named.
    /// - Returns: Nil where the processor has no such card, or makes no token of it.
    func webhook(_ event: String, of card: String?) -> EmulatedWebhook?

    /// Answers one request.
    func handle(_ request: EmulatedRequest) async -> EmulatedResponse

    /// Forgets everything that happened.
    func reset()
}

extension Emulator {
    /// Most emulators are named after their provider.
    public var provider: String { name }

    /// Most emulators know the cards that they list, and no others.
    public func card(numbered number: Int) -> EmulatedCard? { nil }

    /// Most processors leave the app to the wallet's own framework.
    public var sdk: (any ProcessorSDK)? { nil }

    /// Most connections name the processor's address in `base_url`.
    public func settings(_ settings: [(key: String, value: SettingValue)], at baseURL: String) -> [(
        key: String, value: SettingValue
    )]? {
        settings.filter { $0.key != "base_url" } + [("base_url", .text(SecretText(baseURL)))]
    }

    /// All is well with the card that everything is shown with. Of its other words an emulator has to tell.
    public func staging(of situation: Situation, for operation: Operation) -> Staging? {
        situation == .cardExists ? Staging(demoCard) : nil
    }

    /// Some processors send nothing.
    public var webhookEvents: [String] { [] }

    /// Some processors send nothing.
    public func webhook(_ event: String, of card: String?) -> EmulatedWebhook? { nil }

    /// Most operations take one request.
    public func exchanges(for operation: Operation) -> Int { 1 }
}
