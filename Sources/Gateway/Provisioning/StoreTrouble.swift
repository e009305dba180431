public import Storage

/// The end of an attempt could not be written. For the operator's log; the caller has the answer.
public struct StoreTrouble: Sendable, Equatable {
    /// What the store said.
    public let failure: StoreFailure
    /// The attempt.
    public let provisioning: String
}
