/// What an app says of its device, for the wallet button. Nil is what it does not say.
public struct DeviceFacts: Codable, Hashable, Sendable {
    /// A token that Google's wallet holds on the device.
    public struct GoogleToken: Codable, Hashable, Sendable {
        /// `getFpanLastFour()`
        public var last4: String
        /// `getTokenState()`: its number, or the constant's name.
        public var state: JSONValue

        /// A token with its state's number.
        public init(last4: String, state: Int) {
            self.last4 = last4
            self.state = .integer(Int64(state))
        }

        /// A token with its state's name.
        public init(last4: String, stateName: String) {
            self.last4 = last4
            state = .text(stateName)
        }
    }

    /// Whether the wallet says that the card can be added: `canAddSecureElementPass(primaryAccountIdentifier:)`.
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
    public var tokens: [GoogleToken]?

    /// The facts of an iPhone.
    public static func applePay(
        canAdd: Bool?, watchPaired: Bool? = nil, localPass: PassState? = nil, remotePass: PassState? = nil
    ) -> DeviceFacts {
        var facts = DeviceFacts()
        facts.canAdd = canAdd
        facts.watchPaired = watchPaired
        facts.localPass = localPass
        facts.remotePass = remotePass
        return facts
    }

    /// The facts of an Android phone.
    public static func googlePay(tokens: [GoogleToken]) -> DeviceFacts {
        var facts = DeviceFacts()
        facts.tokens = tokens
        return facts
    }

    /// The word of a vendor's SDK.
    public static func digitization(_ state: String) -> DeviceFacts {
        var facts = DeviceFacts()
        facts.digitizationState = state
        return facts
    }

    enum CodingKeys: String, CodingKey {
        case tokens
        case canAdd = "can_add"
        case watchPaired = "watch_paired"
        case localPass = "local_pass"
        case remotePass = "remote_pass"
        case digitizationState = "digitization_state"
    }
}
