import EventLoop
import ProviderKit
import Provisioning
import Storage

extension Gateway {
    /// How often attempts that are due are looked for.
    private static let followUpInterval: Duration = .seconds(1)
    /// How many attempts are followed up at once.
    private static let followUpLimit = 32
    /// How long other instances leave an attempt that this one follows up.
    private static let followUpLeaseMilliseconds: Int64 = 60_000

    /// Follows up attempts of which more may be heard until the task is cancelled: processors are asked for the tokens of
    /// their cards, and what nobody heard of for a day is abandoned. Run it on a loop that serves, once per process.
    ///
    /// - Parameter current: The gateway with the configuration in force.
    public static func keepFollowingUp(_ current: @escaping @Sendable () -> Gateway) async {
        guard let loop = EventLoop.current else { return }
        var isMoreDue = false
        while !Task.isCancelled {
            if !isMoreDue, (try? await loop.sleep(for: followUpInterval)) == nil { return }
            isMoreDue = await current().followUpDue()
        }
    }

    /// Follows up the attempts that are due, a bounded number at once. Whether more may be due.
    func followUpDue() async -> Bool {
        do throws(StoreFailure) {
            let now = clock.now
            let due = try await store.claim(
                FollowUpClaim(
                    now: now, holder: instance,
                    leaseUntil: now.adding(milliseconds: Self.followUpLeaseMilliseconds), limit: Self.followUpLimit))
            // One answer of the processor serves all attempts of a card.
            let groups = Dictionary(grouping: due) { [$0.card.program, $0.card.id, $0.connection, $0.providerCardID] }
            await withTaskGroup(of: Void.self) { group in
                for attempts in groups.values { group.addTask { [self] in await followUp(attempts) } }
            }
            return due.count == Self.followUpLimit
        } catch {
            report(StoreTrouble(failure: error, provisioning: nil))
            return false
        }
    }

    /// When an attempt whose answer is out is followed up first.
    func firstFollowUp(of record: StoredProvisioning, at connection: Connection) -> Timestamp? {
        schedule(of: record, at: connection).next(for: record.status, after: 0, at: clock.now)
    }

    private func schedule(of record: StoredProvisioning, at connection: Connection?) -> FollowUpSchedule {
        FollowUpSchedule(
            start: record.sentAt ?? record.createdAt,
            canAsk: connection?.provider is any OutcomeProbe && !record.providerCardID.isEmpty)
    }

    /// Follows up attempts of one card at one connection.
    private func followUp(_ attempts: [StoredProvisioning]) async {
        let connection = directory.connections[attempts[0].connection]
        do throws(StoreFailure) {
            let answer = try await askForTokens(of: attempts, at: connection)
            var statuses: [String: ProvisioningStatus] = [:]
            if case .tokens(let report) = answer {
                for record in try await store.settle(report).attempts { statuses[record.id] = record.status }
            }
            let now = clock.now
            try await store.finish(
                attempts.map { attempt in
                    end(
                        of: attempt, standing: statuses[attempt.id] ?? attempt.status, after: answer,
                        schedule: schedule(of: attempt, at: connection), at: now)
                })
        } catch {
            // The leases run out, and the attempts are followed up again.
            report(StoreTrouble(failure: error, provisioning: nil))
        }
    }

    private func end(
        of attempt: StoredProvisioning, standing status: ProvisioningStatus, after answer: TokenAnswer,
        schedule: FollowUpSchedule, at now: Timestamp
    ) -> FollowUpEnd {
        var end = FollowUpEnd(
            id: attempt.id, program: attempt.card.program, holder: instance, at: now, nextAt: nil, step: nil,
            isDayOver: false, counts: true)
        switch answer {
        case .cancelled:
            end.counts = false
            end.nextAt = now
            return end
        case .postponed where status == .unknown:
            // Soon again: somebody waits to hear it. Of the others there may be very many, so each puts itself off.
            end.counts = false
            end.isDayOver = schedule.isOver(at: now, hasAnswer: false)
            end.nextAt = end.isDayOver ? nil : schedule.postponed(at: now)
            return end
        case .postponed, .nobody: end.isDayOver = schedule.isOver(at: now, hasAnswer: false)
        case .failure(let error):
            end.isDayOver = schedule.isOver(at: now, hasAnswer: false)
            end.step = TimelineStep(
                at: now, step: "asked", source: "provider", code: error.upstream?.code ?? error.code.rawValue,
                detail: "The processor did not say which tokens the card has.")
        case .tokens:
            end.isDayOver = schedule.isOver(at: now, hasAnswer: true)
            end.step = TimelineStep(
                at: now, step: "asked", source: "provider", detail: "The processor said which tokens the card has.")
        }
        if !end.isDayOver { end.nextAt = schedule.next(for: status, after: attempt.followUps + 1, at: now) }
        return end
    }
}
