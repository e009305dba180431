public import Provisioning

/// One request that an emulator saw. Credentials in the sandbox are invented, so bodies may be shown.
public struct RequestRecord: Sendable {
    /// Counts from 1 per emulator.
    public let number: Int
    /// When it came.
    public let at: Timestamp
    /// What came.
    public let request: EmulatedRequest
    /// What was answered; nil while it is on its way.
    public internal(set) var status: Int?
    /// Whether a scripted fault met it.
    public internal(set) var wasSpoiled = false
}
