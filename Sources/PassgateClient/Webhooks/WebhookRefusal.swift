/// Why a delivery is not taken. Answer 401 to the first three, so that it is told in the destination's log.
public enum WebhookRefusal: Error, Hashable, Sendable {
    /// It lacks a field of Standard Webhooks.
    case unsigned
    /// It is too old, or from the future.
    case outOfTime
    /// No secret made its signature.
    case forged
    /// It is genuine, and this build cannot read it.
    case unreadable
    /// A secret is not `whsec_` with base64, or there is none.
    case unusableSecret
}
