import EventLoop
import Gateway
import Provisioning
import Storage

/// Everything that `/metrics` tells, at one moment.
struct Scrape {
    let version: String
    let startedAt: Timestamp
    let now: Timestamp
    let process: ProcessFigures?
    let counts: MetricsSnapshot
    let store: StoreMeter.Figures
    let connections: [ConnectionReport]
    let programs: [String]
    /// Nil where the store cannot be read.
    let backlog: StoreBacklog?
    /// Nil where the store cannot be read.
    let migrations: [MigrationFigures]?
}
