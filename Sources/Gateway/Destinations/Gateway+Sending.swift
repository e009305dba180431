import Crypto
import EventLoop
import ProviderKit
import Provisioning
import Storage
import Synchronization

extension Gateway {
    /// How often it is looked for what is due.
    private static let outgoingInterval: Duration = .milliseconds(500)
    /// How many deliveries this process sends at once.
    private static let outgoingLimit = 256
    /// How many are under way to one destination: a slow one holds none of the others up.
    static let outgoingLimitPerDestination = 4
    /// How long a destination may take.
    static let destinationPatience: Duration = .seconds(15)
    /// How long other instances leave a delivery that this one sends.
    static let outgoingLeaseMilliseconds: Int64 = 20_000
    /// How many bytes of an answer are read. Nothing in them counts.
    private static let destinationAnswerLimit = 16_384

    /// Sends events to their destinations until the task is cancelled: those that a crash left behind, too. Run it on a
    /// loop that serves, once per process.
    ///
    /// - Parameter current: The gateway with the configuration in force.
    public static func keepSending(_ current: @escaping @Sendable () -> Gateway) async {
        let traffic = current().traffic
        guard let loop = EventLoop.current, let signal = traffic.outgoing.take() else { return }
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: loop) {
                while !Task.isCancelled {
                    traffic.outgoing.raise()
                    if (try? await loop.sleep(for: outgoingInterval)) == nil { return }
                }
            }
            for await _ in signal {
                if Task.isCancelled { break }
                let room = outgoingLimit - traffic.underWay.load(ordering: .relaxed)
                guard room > 0 else { continue }
                for delivery in await current().claimOutgoing(atMost: room) {
                    traffic.underWay.add(1, ordering: .relaxed)
                    group.addTask(executorPreference: loop) {
                        await current().send(delivery)
                        traffic.underWay.subtract(1, ordering: .relaxed)
                        traffic.outgoing.raise()
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// Claims deliveries that are due.
    func claimOutgoing(atMost limit: Int) async -> [OutgoingDelivery] {
        let now = clock.now
        do throws(StoreFailure) {
            return try await store.claim(
                OutgoingClaim(
                    now: now, holder: instance,
                    leaseUntil: now.adding(milliseconds: Self.outgoingLeaseMilliseconds), limit: limit,
                    limitPerDestination: Self.outgoingLimitPerDestination))
        } catch {
            report(StoreTrouble(failure: error, provisioning: nil))
            return []
        }
    }

    /// Sends a delivery, and writes how that ended.
    func send(_ delivery: OutgoingDelivery) async {
        let end = await attempt(delivery)
        do throws(StoreFailure) {
            try await store.finish(end)
        } catch {
            // The lease runs out, and it is sent again under the same id.
            report(StoreTrouble(failure: error, provisioning: nil))
        }
        switch end.outcome {
        case .delivered: metrics.countOutgoing(outcome: "delivered")
        case .again: metrics.countOutgoing(outcome: "failed")
        case .dead: metrics.countOutgoing(outcome: "dead")
        case .gone: metrics.countOutgoing(outcome: "gone")
        case .untouched: break
        }
    }

    private func attempt(_ delivery: OutgoingDelivery) async -> OutgoingEnd {
        var end = OutgoingEnd(number: delivery.number, holder: instance, at: clock.now, outcome: .untouched)
        if Task.isCancelled { return end }
        var attempt = StoredDelivery.Attempt(at: end.at, milliseconds: 0, status: nil, failure: nil)
        let began = ContinuousClock.now
        var verdict = DeliveryVerdict.failed(wait: nil)
        if let request = request(for: delivery, at: end.at) {
            do throws(TransportFailure) {
                let response = try await directory.courier.transport.send(request)
                attempt.status = response.status
                verdict = .of(response, at: clock.now)
            } catch {
                if error == .notSent(.cancelled) { return end }
                attempt.failure = error.cause.rawValue
            }
        } else {
            attempt.failure = "secret_unreadable"
        }
        attempt.milliseconds = Int((ContinuousClock.now - began) / .milliseconds(1))
        end.at = clock.now
        end.attempt = attempt
        switch verdict {
        case .delivered: end.outcome = .delivered
        case .gone: end.outcome = .gone
        case .failed(let wait):
            let next = DeliverySchedule().next(after: delivery.tries + 1, at: end.at, asked: wait)
            end.outcome = next.map { .again(at: $0) } ?? .dead
        }
        return end
    }

    /// The signed request; nil where there is no secret to sign with. The bytes that are signed are those that are sent.
    private func request(for delivery: OutgoingDelivery, at now: Timestamp) -> UpstreamRequest? {
        guard let signer = signer(for: delivery.destination, at: now) else { return nil }
        var json = JSONWriter(capacity: 512)
        json.event(delivery.event)
        let body = json.finish()
        let fields = [
            UpstreamRequest.Header("Content-Type", "application/json"), .init("User-Agent", "Passgate"),
        ]
        var request = UpstreamRequest(
            .post, delivery.destination.url,
            headers: fields + signer.headers(id: delivery.event.id, at: now, body: body), body: body,
            deadline: .now + Self.destinationPatience)
        request.answerLimit = Self.destinationAnswerLimit
        // An event begins a trace of its own, the same at every try.
        let trace = TraceContext(root: SHA256.digest(of: Array(delivery.event.id.utf8)), random: random)
        return trace.added(to: request)
    }
}
