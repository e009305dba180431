import Provisioning

/// Looks for what must never be in a file of ours.
public enum RealSecrets: Sendable {
    /// What the text holds that looks real, a phrase each.
    public static func findings(in text: String) -> [String] {
        var found: [String] = []
        if CardNumber.occurs(in: text.utf8) { found.append("what may be a card number") }
        for mark in ["sk_live_", "rk_live_", "ek_live_", "PRIVATE KEY-----"] where text.contains(mark) {
            found.append("\(mark)…")
        }
        return found
    }
}
