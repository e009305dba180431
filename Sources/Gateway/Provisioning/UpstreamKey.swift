import Provisioning

/// The key under which an attempt's upstream calls may be repeated without effect.
struct UpstreamKey: Sendable {
    let text: String
    /// When it was used first: repeats use it on, and do not make it younger.
    let madeAt: Timestamp
}
