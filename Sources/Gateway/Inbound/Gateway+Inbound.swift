import Crypto
import EventLoop
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Gateway {
    /// How often deliveries are looked for that nobody was woken for: those of another instance, and those due again.
    private static let inboundInterval: Duration = .seconds(1)
    /// How many are read at once.
    private static let inboundLimit = 32
    /// How long other instances leave a delivery that this one reads.
    private static let inboundLeaseMilliseconds: Int64 = 20_000
    /// How long a processor may take to tell what a delivery is about.
    private static let noticePatience: Duration = .seconds(10)

    /// Reads the deliveries that were taken in, until the task is cancelled: those that a crash left behind first. Run it
    /// on a loop that serves, once per process.
    ///
    /// - Parameter current: The gateway with the configuration in force.
    public static func keepReadingDeliveries(_ current: @escaping @Sendable () -> Gateway) async {
        guard let loop = EventLoop.current, let signal = current().traffic.inbound.take() else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop) {
                while !Task.isCancelled {
                    current().traffic.inbound.raise()
                    if (try? await loop.sleep(for: inboundInterval)) == nil { return }
                }
            }
            for await _ in signal {
                while !Task.isCancelled, await current().readDueDeliveries() {}
            }
            group.cancelAll()
        }
    }

    /// Reads the deliveries that are due, a bounded number at once. Whether more may be due.
    func readDueDeliveries() async -> Bool {
        do throws(StoreFailure) {
            let now = clock.now
            let due = try await store.claim(
                InboundClaim(
                    now: now, holder: instance,
                    leaseUntil: now.adding(milliseconds: Self.inboundLeaseMilliseconds), limit: Self.inboundLimit))
            await withTaskGroup(of: Void.self) { group in
                for delivery in due { group.addTask { [self] in await read(delivery) } }
            }
            return due.count == Self.inboundLimit
        } catch {
            report(StoreTrouble(failure: error, provisioning: nil))
            return false
        }
    }

    private func read(_ delivery: ClaimedDelivery) async {
        let schedule = InboundSchedule(receivedAt: delivery.receivedAt)
        var end = InboundEnd(
            connection: delivery.connection, key: delivery.key, holder: instance, at: clock.now, outcome: .failed)
        do throws(StoreFailure) {
            let answer = await notice(of: delivery)
            end.at = clock.now
            switch answer {
            case .notice(let notice, let asked): try await apply(notice, askedAt: asked, of: delivery, ending: end)
            case .unreadable: try await finish(end)
            case .postponed:
                end.outcome = .again(at: schedule.postponed(at: end.at), counts: false)
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
    }

    /// What came of reading a delivery.
    private enum Reading {
        case notice(WebhookNotice, askedAt: Timestamp)
        case unreadable
        case postponed
        case failure
    }

    private func notice(of delivery: ClaimedDelivery) async -> Reading {
        guard let connection = directory.connections[delivery.connection],
            let source = connection.provider as? any WebhookSource
        else { return .failure }
        guard
            let body = try? keys.open(
                delivery.sealedBody, purpose: Self.inboundPurpose,
                associatedData: Array("\(delivery.connection)\n\(delivery.key)".utf8))
        else { return .unreadable }
        if Task.isCancelled { return .postponed }
        let gate = traffic.gate(of: connection.name)
        do throws(ConnectionGuard.Refusal) {
            try gate.enterBackground(limit: connection.inFlight, ratePerSecond: connection.ratePerSecond, at: .now)
        } catch {
            return .postponed
        }
        defer { gate.leaveBackground() }
        let asked = clock.now
        do throws(ProvisioningError) {
            return .notice(try await source.notice(in: body, deadline: .now + Self.noticePatience), askedAt: asked)
        } catch {
            return Task.isCancelled ? .postponed : .failure
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
