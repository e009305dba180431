public import Storage

/// The end of an attempt could not be written, or the store not swept. For the operator's log.
public struct StoreTrouble: Sendable, Equatable {
    /// What the store said.
    public let failure: StoreFailure
    /// The attempt, where it is about one: its caller has the answer, and its record becomes `unknown`.
    public let provisioning: String?
}
