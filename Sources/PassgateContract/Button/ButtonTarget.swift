/// The device that a tap on the button is about.
public enum ButtonTarget: OpenWord {
    /// The device that asks.
    case phone
    /// The watch that is paired with it.
    case watch
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [ButtonTarget] = [
        .phone,
        .watch,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .phone: "phone"
        case .watch: "watch"
        case .other(let word): word
        }
    }
}
