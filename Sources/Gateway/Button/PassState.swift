/// What PassKit says of the card's pass on one device: `PKSecureElementPass.PassActivationState`, or that there is none.
public enum PassState: String, Sendable, CaseIterable {
    /// There is no pass.
    case absent
    /// The pass can be used.
    case activated
    /// The pass waits for its activation.
    case requiresActivation = "requires_activation"
    /// The pass is being activated.
    case activating
    /// The pass cannot be used for now.
    case suspended
    /// The pass cannot be used any more. It is there all the same.
    case deactivated
}
