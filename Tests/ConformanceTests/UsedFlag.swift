import Synchronization

/// State that a provider should not have.
final class UsedFlag: Sendable {
    private let isSet = Atomic(false)

    /// Sets it; true where it was set before.
    func isSetAlready() -> Bool { isSet.exchange(true, ordering: .relaxed) }
}
