/// What had happened when a request failed: the retry class depends on it.
public enum RetrySituation: String, Sendable, CaseIterable {
    /// No byte of the body left.
    case notSent = "not_sent"
    /// The call was sent, and its handshake can be used again.
    case sentRepeatable = "sent_repeatable"
    /// The call was sent, and its handshake is spent.
    case sentSingleUse = "sent_single_use"
}
