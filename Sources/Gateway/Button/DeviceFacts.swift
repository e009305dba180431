/// What an app says of its device. Nil is what it did not say.
public struct DeviceFacts: Sendable, Equatable {
    /// Whether the wallet says that the card can be added: PassKit's `canAddSecureElementPass`.
    public var canAdd: Bool?
    /// Whether a watch is paired.
    public var watchPaired: Bool?
    /// The card's pass on the device.
    public var localPass: PassState?
    /// The card's pass on the paired watch.
    public var remotePass: PassState?
    /// What a vendor's SDK says of the card, in its own word.
    public var digitizationState: String?
    /// What Google's `listTokens` gave, of whatever card.
    public var tokens: [DeviceToken]?

    /// Makes facts of its members.
    public init(
        canAdd: Bool? = nil, watchPaired: Bool? = nil, localPass: PassState? = nil, remotePass: PassState? = nil,
        digitizationState: String? = nil, tokens: [DeviceToken]? = nil
    ) {
        self.canAdd = canAdd
        self.watchPaired = watchPaired
        self.localPass = localPass
        self.remotePass = remotePass
        self.digitizationState = digitizationState
        self.tokens = tokens
    }

    /// Whether a paired watch has no pass yet; nil where the app did not speak of the watch and of passes.
    public var watchIsFree: Bool? {
        guard let watchPaired, speaksOfPasses else { return nil }
        return watchPaired && remotePass ?? .absent == .absent
    }

    /// Whether the app spoke of a pass. Then one that it did not speak of is not there: SDKs give nil for it.
    var speaksOfPasses: Bool { localPass != nil || remotePass != nil }
}
