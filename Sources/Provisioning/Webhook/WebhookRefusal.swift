/// Why a delivery is not believed. It quotes nothing of the delivery.
public enum WebhookRefusal: String, Error, Sendable, CaseIterable {
    /// The connection has no secret to verify with.
    case noSecret = "no_secret"
    /// The signature's header fields are missing, doubled, or not of their form.
    case malformed
    /// The timestamp is too far from the gateway's clock, in the past or in the future.
    case outsideTolerance = "outside_tolerance"
    /// No signature fits the bytes under any secret.
    case noMatch = "no_match"
}
