import ProviderKit
import Provisioning

/// The store's time, as well as it is known: what instances on several machines share is dated by one clock.
struct StoreClock: WallClock {
    /// This machine's clock.
    let base: SystemClock
    /// By how many milliseconds the store's clock is ahead of it.
    let offset: @Sendable () -> Int64

    var now: Timestamp { base.now.adding(milliseconds: offset()) }
}
