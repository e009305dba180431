/// What one row of a table, or all of them together, makes of the button.
struct ButtonVerdict: Sendable, Equatable {
    let action: ButtonAction
    /// The device it is about; nil where the button is hidden.
    let target: ButtonTarget?
    let reason: ButtonReason

    /// A button that is there.
    static func show(_ action: ButtonAction, on target: ButtonTarget, _ reason: ButtonReason) -> ButtonVerdict {
        ButtonVerdict(action: action, target: target, reason: reason)
    }

    /// No button.
    static func hide(_ reason: ButtonReason) -> ButtonVerdict {
        ButtonVerdict(action: .none, target: nil, reason: reason)
    }
}
