import Crypto
import EventLoop
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Gateway {
    /// How often deliveries are looked for that nobody was woken for: those of another instance, and those due again.
    private static let inboundInterval: Duration = .seconds(1)
    /// How long other instances leave a delivery that this one reads.
    private static let inboundLeaseMilliseconds: Int64 = 20_000
    /// How long a delivery waits here for leave to call its processor. With what the call may take, it stays within the
    /// lease.
    private static let gatePatience: Duration = .seconds(4)
    /// How often it asks for that leave.
    private static let gateInterval: Duration = .milliseconds(100)
    /// How long a processor may take to tell what a delivery is about.
    private static let noticePatience: Duration = .seconds(10)

    /// A delivery that this instance reads.
    struct InboundReading: Sendable {
        let delivery: ClaimedDelivery
        /// Nil where it cannot be opened.
        let body: SecretBytes?
        let takesCall: Bool
        let place: InboundLedger.Place
    }

    /// Reads the deliveries that were taken in, until the task is cancelled: those that a crash left behind first. Run it
    /// on a loop that serves, once per process.
    ///
    /// - Parameter current: The gateway with the configuration in force.
    public static func keepReadingDeliveries(_ current: @escaping @Sendable () -> Gateway) async {
        let traffic = current().traffic
        guard let loop = EventLoop.current, let signal = traffic.inbound.take() else { return }
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: loop) {
                while !Task.isCancelled {
                    traffic.inbound.raise()
                    if (try? await loop.sleep(for: inboundInterval)) == nil { return }
                }
            }
            for await _ in signal {
                while !Task.isCancelled {
                    let gateway = current()
                    let readings = await gateway.claimInbound()
                    if readings.isEmpty { break }
                    for reading in readings {
                        group.addTask(executorPreference: loop) {
                            await gateway.read(reading)
                            traffic.inbound.raise()
                        }
                    }
                }
                if Task.isCancelled { break }
            }
            group.cancelAll()
        }
    }

    /// Claims deliveries that are due, as many as there is room for, and gives each its place. Every one must be read.
    func claimInbound() async -> [InboundReading] {
        let (room, except) = traffic.reading.room
        if room < 1 { return [] }
        let now = clock.now
        do throws(StoreFailure) {
            return try await store.claim(
                InboundClaim(
                    now: now, holder: instance,
                    leaseUntil: now.adding(milliseconds: Self.inboundLeaseMilliseconds),
                    limit: min(room, InboundLedger.limitPerConnection), except: except)
            ).map(begin)
        } catch {
            report(StoreTrouble(failure: error, provisioning: nil))
            return []
        }
    }

    private func begin(_ delivery: ClaimedDelivery) -> InboundReading {
        let body = try? keys.open(
            delivery.sealedBody, purpose: Self.inboundPurpose,
            associatedData: Array("\(delivery.connection)\n\(delivery.key)".utf8))
        let source = directory.connections[delivery.connection]?.provider as? any WebhookSource
        let outline = body.flatMap { source?.outline(of: $0) } ?? WebhookOutline()
        return InboundReading(
            delivery: delivery, body: body, takesCall: outline.takesCall,
            place: traffic.reading.enter(delivery.connection, about: outline.subject))
    }

    /// Reads a delivery, and writes how that ended.
    func read(_ reading: InboundReading) async {
        let delivery = reading.delivery
        let schedule = InboundSchedule(receivedAt: delivery.receivedAt)
        var end = InboundEnd(
            connection: delivery.connection, key: delivery.key, holder: instance, at: clock.now, outcome: .failed)
        var wasRead = true
        do throws(StoreFailure) {
            let told = await notice(of: reading)
            let answer = await reading.place.turn() ? told : .postponed
            end.at = clock.now
            switch answer {
            case .notice(let notice, let asked): try await apply(notice, askedAt: asked, of: delivery, ending: end)
            case .unreadable: try await finish(end)
            case .postponed:
                wasRead = false
                end.outcome = .again(at: schedule.postponed(at: end.at), counts: false)
                try await finish(end)
            case .notFound:
                end.outcome =
                    schedule.next(afterNotFound: delivery.tries, at: end.at).map { .again(at: $0, counts: true) }
                    ?? .irrelevant
                try await finish(end)
            case .failure:
                if let next = schedule.next(after: delivery.tries, at: end.at) {
                    end.outcome = .again(at: next, counts: true)
                }
                try await finish(end)
            }
        } catch {
            // The lease runs out, and the delivery is read again.
            report(StoreTrouble(failure: error, provisioning: nil))
        }
        traffic.reading.leave(reading.place, wasRead: wasRead)
    }

    /// What came of reading a delivery.
    private enum Reading {
        case notice(WebhookNotice, askedAt: Timestamp)
        case unreadable
        case postponed
        case notFound
        case failure
    }

    private func notice(of reading: InboundReading) async -> Reading {
        guard let connection = directory.connections[reading.delivery.connection],
            let source = connection.provider as? any WebhookSource
        else { return .failure }
        guard let body = reading.body else { return .unreadable }
        if Task.isCancelled { return .postponed }
        let gate = traffic.gate(of: connection.name)
        if reading.takesCall, await !enterBackground(gate, of: connection) { return .postponed }
        defer { if reading.takesCall { gate.leaveBackground() } }
        let asked = clock.now
        do throws(ProvisioningError) {
            return .notice(try await source.notice(in: body, deadline: .now + Self.noticePatience), askedAt: asked)
        } catch {
            if Task.isCancelled { return .postponed }
            return error.code == .tokenNotFound ? .notFound : .failure
        }
    }

    /// Waits for leave to call a processor, behind all calls that cannot wait. False where there is none for now.
    private func enterBackground(_ gate: ConnectionGuard, of connection: Connection) async -> Bool {
        let end = ContinuousClock.now + Self.gatePatience
        while true {
            do throws(ConnectionGuard.Refusal) {
                try gate.enterBackground(limit: connection.inFlight, ratePerSecond: connection.ratePerSecond, at: .now)
                return true
            } catch {
                if ContinuousClock.now >= end { return false }
            }
            if (try? await Task.sleep(for: Self.gateInterval)) == nil { return false }
        }
    }

    private func apply(
        _ notice: WebhookNotice, askedAt asked: Timestamp, of delivery: ClaimedDelivery, ending end: InboundEnd
    ) async throws(StoreFailure) {
        var end = end
        end.providerCardID = notice.providerCardID
        end.providerTokenID = notice.tokens.first?.id
        end.occurredAt = notice.occurredAt
        guard !notice.tokens.isEmpty, let connection = directory.connections[delivery.connection] else {
            end.outcome = .irrelevant
            return try await finish(end)
        }
        let owner = try await store.card(
            ofProviderCard: notice.providerCardID, orToken: notice.tokens.first?.id, at: delivery.connection)
        guard let owner else {
            end.outcome = .unmatched
            return try await finish(end)
        }
        end.outcome = .applied
        _ = try await store.settle(
            TokenReport(
                card: owner.card, provider: connection.descriptor.id, connection: delivery.connection,
                providerCardID: owner.providerCardID, source: .webhook, tokens: notice.tokens,
                observedAt: notice.occurredAt ?? asked, receivedAt: end.at, delivery: end))
        metrics.countInbound(connection: delivery.connection, outcome: "applied")
    }

    private func finish(_ end: InboundEnd) async throws(StoreFailure) {
        try await store.finish(end)
        switch end.outcome {
        case .unmatched: metrics.countInbound(connection: end.connection, outcome: "unmatched")
        case .failed: metrics.countInbound(connection: end.connection, outcome: "failed")
        case .applied, .irrelevant, .again: break
        }
    }
}
