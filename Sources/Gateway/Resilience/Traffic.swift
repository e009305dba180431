import Storage
import Synchronization

/// What is under way in this process, whatever configuration each request began with: a reload changes none of it.
final class Traffic: Sendable {
    /// Answers whose last byte is not yet written.
    let deliveries = DeliveryLedger()
    /// Each card's attempts in the last minute.
    let cardLimits = CardRateLimit()
    /// That deliveries wait to be read.
    let inbound = WorkSignal()
    /// The deliveries that are being read.
    let reading = InboundLedger()
    /// That events wait to be sent.
    let outgoing = WorkSignal()
    /// What shadows found.
    let shadow = CountLedger<ShadowFinding>()
    /// Attempts that open breakers turned away.
    let leftAlone = CountLedger<LeftAloneSide>()
    /// Overviews that were made lately.
    let overviews = OverviewCache()
    /// How many events are being sent.
    let underWay = Atomic<Int>(0)
    private let guards = Mutex<[String: ConnectionGuard]>([:])

    /// The guard of the connection of that name.
    func gate(of connection: String) -> ConnectionGuard {
        guards.withLock { guards in
            let gate = guards[connection] ?? ConnectionGuard()
            guards[connection] = gate
            return gate
        }
    }
}
