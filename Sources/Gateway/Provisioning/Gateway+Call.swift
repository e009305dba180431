import EventLoop
import ProviderKit
import Provisioning
import Storage

extension Gateway {
    /// One attempt at a handshake that is spent by it waits this long.
    static let singleUsePatience: Duration = .seconds(12)
    /// One try of a call that may be made again waits this long.
    static let repeatablePatience: Duration = .seconds(5)

    /// Enters the connection's guard. The pass is to be given back by the caller.
    ///
    /// - Parameter isRead: Whether the call only asks: provisionings come first.
    func enter(_ connection: Connection, isRead: Bool = false) throws(Problem) -> ConnectionPass {
        do throws(ConnectionGuard.Refusal) {
            return try traffic.gate(of: connection.name).enter(
                limit: connection.inFlight, ratePerSecond: connection.ratePerSecond, isRead: isRead, at: .now)
        } catch {
            metrics.countRefusal(connection: connection.name, reason: error.word)
            throw Self.problem(error, of: connection)
        }
    }

    private static func problem(_ refusal: ConnectionGuard.Refusal, of connection: Connection) -> Problem {
        switch refusal {
        case .full:
            Problem(
                .overloaded, detail: "As many calls to the connection are under way as it may have.",
                outcome: .notSent, retryAfter: 1)
        case .rate(let wait):
            Problem(
                .overloaded, detail: "The connection's rate is used up.", outcome: .notSent,
                retryAfter: Int(wait.components.seconds) + 1)
        case .open(let wait):
            Problem(
                .providerUnavailable, detail: "The processor has failed repeatedly and is being left alone.",
                outcome: .notSent, retryAfter: Int(wait.components.seconds) + 1,
                provider: ProviderReport(id: connection.descriptor.id, connection: connection.name, upstream: nil))
        }
    }

    /// Whether a failure is its caller's own doing: one that left, or that would not wait.
    func isCallers(_ error: ProvisioningError, hasLoweredDeadline: Bool) -> Bool {
        Task.isCancelled || (hasLoweredDeadline && error.code == .providerTimeout)
    }

    /// Gives the pass back after a failure. A caller that left, or that would not wait, says nothing of the processor.
    func leave(_ pass: ConnectionPass, after error: ProvisioningError, hasLoweredDeadline: Bool) {
        let isCallers = isCallers(error, hasLoweredDeadline: hasLoweredDeadline)
        if isCallers, error.outcome == .notSent { pass.leaveUncalled() } else { pass.leave(error.code, at: .now) }
    }

    /// Calls the provider, and again where the meaning of the failure allows it, within the deadline and the budget.
    func call(
        _ connection: Connection, _ request: ProvisioningRequest, attempt: inout ProvisioningAttempt,
        pass: ConnectionPass, until deadline: ContinuousClock.Instant
    ) async throws(ProvisioningError) -> Handoff {
        let patience = attempt.isRepeatable ? Self.repeatablePatience : Self.singleUsePatience
        let rule = RetryRule(isRepeatable: attempt.isRepeatable)
        var request = request
        var failure: ProvisioningError?
        while true {
            if Task.isCancelled { throw Self.callerGone(after: failure) }
            request.deadline = min(deadline, .now + patience)
            attempt.record.attempts += 1
            let began = clock.now
            do throws(ProvisioningError) {
                let handoff = try await measured(connection) { () throws(ProvisioningError) in
                    try await connection.provider.provision(request)
                }
                attempt.note(nil, ofCallBegunAt: began)
                return handoff
            } catch {
                attempt.note(error, ofCallBegunAt: began)
                failure = Self.weightier(failure, error)
                guard let pause = rule.pause(after: error, calls: attempt.record.attempts, sent: attempt.sentCalls),
                    .now + pause < deadline, pass.takeExtraAttempt(at: .now)
                else { throw failure ?? error }
                guard (try? await EventLoop.current?.sleep(for: pause)) != nil else {
                    throw Self.callerGone(after: failure)
                }
            }
        }
    }

    /// Of two failures of one request, the one that says more of what may have happened; of two that say the same, the
    /// later. What may have happened is never forgotten, nor is what did.
    private static func weightier(_ first: ProvisioningError?, _ second: ProvisioningError) -> ProvisioningError {
        guard let first, weight(of: first.outcome) > weight(of: second.outcome) else { return second }
        return first
    }

    private static func weight(of outcome: ProvisioningOutcome) -> Int {
        switch outcome {
        case .notSent: 0
        case .refused: 1
        case .unknown: 2
        case .applied: 3
        }
    }

    private static func callerGone(after failure: ProvisioningError?) -> ProvisioningError {
        failure ?? ProvisioningError(.providerUnavailable, outcome: .notSent, detail: "The caller left.")
    }
}
