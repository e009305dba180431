/// How the nonce and its signature are written.
public enum HandshakeEncoding: OpenWord {
    /// Base64.
    case base64
    /// Hexadecimal digits.
    case hex
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [HandshakeEncoding] = [
        .base64,
        .hex,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .base64: "base64"
        case .hex: "hex"
        case .other(let word): word
        }
    }
}
