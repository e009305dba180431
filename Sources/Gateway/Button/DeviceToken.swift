/// A token that Google's wallet holds on a device.
public struct DeviceToken: Sendable, Hashable {
    /// The state as the app reported it.
    public enum State: Sendable, Hashable {
        /// `TokenInfo.getTokenState()`
        case number(Int)
        /// The constant's name, such as `TOKEN_STATE_ACTIVE`.
        case name(String)
    }

    /// The last four digits of the card's number, `getFpanLastFour()`.
    public var last4: String
    /// The state.
    public var state: State

    /// Makes a token of its members.
    public init(last4: String, state: State) {
        self.last4 = last4
        self.state = state
    }

    /// Google's name of the state; nil where nobody here knows it.
    public var stateName: String? { GoogleTokenState(state)?.name }
}
