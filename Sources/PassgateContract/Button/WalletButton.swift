/// What the app's wallet button should do.
public struct WalletButton: Codable, Hashable, Sendable {
    /// What was decided by.
    public struct Facts: Codable, Hashable, Sendable {
        /// A token of the card on the device.
        public struct Token: Codable, Hashable, Sendable {
            /// The last four digits of the card's number.
            public let last4: String
            /// The state as the app reported it.
            public let state: JSONValue?
            /// Google's name of the state, where it is known.
            public let name: String?
        }

        /// The serving processor.
        public let provider: String?
        /// The serving connection.
        public let connection: String?
        /// Whether the processor says that the card can be added; nil where it gave no answer.
        public let eligible: Bool?
        /// Why not, as a word.
        public let eligibilityReason: String?
        /// Whether `wallet_credentials` has one for `activate`.
        public let activationCredential: Bool?
        /// What the device said of adding the card.
        public let canAdd: Bool?
        /// Whether a watch is paired.
        public let watchPaired: Bool?
        /// Whether a paired watch has no pass yet.
        public let watchFree: Bool?
        /// The pass on the device.
        public let localPass: PassState?
        /// The pass on the watch.
        public let remotePass: PassState?
        /// The word of a vendor's SDK.
        public let digitizationState: String?
        /// The tokens of the card on the device.
        public let tokens: [Token]?
        /// How many tokens of other cards there are.
        public let otherTokens: Int?

        enum CodingKeys: String, CodingKey {
            case provider, connection, eligible, tokens
            case eligibilityReason = "eligibility_reason"
            case activationCredential = "activation_credential"
            case canAdd = "can_add"
            case watchPaired = "watch_paired"
            case watchFree = "watch_free"
            case localPass = "local_pass"
            case remotePass = "remote_pass"
            case digitizationState = "digitization_state"
            case otherTokens = "other_tokens"
        }
    }

    /// `wallet_button`
    public let object: String
    /// Whether there is a button.
    public let show: Bool
    /// What a tap does.
    public let action: ButtonAction
    /// The device that it is about; nil where there is no button.
    public let target: ButtonTarget?
    /// Why, as a word for the app's log.
    public let reason: String
    /// What was decided by.
    public let facts: Facts

    /// What this build can do about it. A newer gateway's action has no button: an app must not guess what a tap does.
    public var shownAction: ButtonAction? {
        switch action {
        case .add, .addToWatch, .activate, .resumeVerification: show ? action : nil
        case .none, .other: nil
        }
    }
}
