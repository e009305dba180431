/// The device that a tap on the button is about.
public enum ButtonTarget: String, Sendable, CaseIterable {
    /// The device that asks.
    case phone
    /// The watch that is paired with it.
    case watch
}
