import Provisioning
import Storage

/// One attempt on its way: the record as it grows, and what its end will have to settle.
struct ProvisioningAttempt: Sendable {
    var record: StoredProvisioning
    let route: Route
    var timeline: Timeline
    /// The keyed digests of a single-use handshake, under the current root secret first; none where it can come again.
    let handshakeDigests: [[UInt8]]
    let idempotency: IdempotencyClaim?
    /// Whether its call may be made again after it was sent.
    let isRepeatable: Bool
    /// When the call that got an answer, or the last one, began.
    var sentAt: Timestamp?
}
