import EventLoop
import ProviderKit
import Provisioning
import Storage

extension Gateway {
    /// One attempt at a handshake that is spent by it waits this long.
    static let singleUsePatience: Duration = .seconds(12)
    /// One try of a call that may be made again waits this long.
    static let repeatablePatience: Duration = .seconds(5)
    /// How many calls one request may make, whoever asks for them.
    static let callLimit = 3

    /// Enters the connection's guard. The pass is to be given back by the caller.
    func enter(_ connection: Connection) throws(Problem) -> ConnectionPass {
        do throws(ConnectionGuard.Refusal) {
            return try traffic.gate(of: connection.name).enter(
                limit: connection.inFlight, ratePerSecond: connection.ratePerSecond, at: .now)
        } catch {
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

    /// Gives the pass back after a failure. A caller that left, or that would not wait, says nothing of the processor.
    func leave(_ pass: ConnectionPass, after error: ProvisioningError, hasLoweredDeadline: Bool) {
        let isCallers = Task.isCancelled || (hasLoweredDeadline && error.code == .providerTimeout)
        if isCallers, error.outcome == .notSent { pass.leaveUncalled() } else { pass.leave(error.code, at: .now) }
    }

    /// Calls the provider, and again where the meaning of the failure allows it, within the deadline and the budget.
    func call(
        _ connection: Connection, _ request: ProvisioningRequest, attempt: inout ProvisioningAttempt,
        pass: ConnectionPass, until deadline: ContinuousClock.Instant
    ) async throws(ProvisioningError) -> Handoff {
        let patience = attempt.isRepeatable ? Self.repeatablePatience : Self.singleUsePatience
        var request = request
        var worst: ProvisioningError?
        while true {
            if Task.isCancelled { throw Self.callerGone(after: worst) }
            request.deadline = min(deadline, .now + patience)
            attempt.record.attempts += 1
            attempt.sentAt = clock.now
            attempt.timeline.add("sent", detail: "to \(connection.name)")
            do throws(ProvisioningError) {
                let handoff = try await measured(connection) { () throws(ProvisioningError) in
                    try await connection.provider.provision(request)
                }
                attempt.timeline.add("answered", source: "provider")
                return handoff
            } catch {
                attempt.timeline.add(
                    error.outcome == .notSent ? "not_sent" : "answered",
                    source: error.outcome == .notSent ? "gateway" : "provider",
                    code: error.upstream?.code ?? error.code.rawValue)
                worst = Self.worse(worst, error)
                guard let pause = Self.pause(before: attempt.record.attempts, after: error, of: attempt),
                    .now + pause < deadline, pass.takeExtraAttempt(at: .now)
                else { throw worst ?? error }
                guard (try? await EventLoop.current?.sleep(for: pause)) != nil else {
                    throw Self.callerGone(after: worst)
                }
            }
        }
    }

    /// How long to wait before another call; nil where there must be none.
    private static func pause(before next: Int, after error: ProvisioningError, of attempt: ProvisioningAttempt)
        -> Duration?
    {
        guard next < callLimit else { return nil }
        let isTransient =
            [.providerUnavailable, .providerTimeout, .providerRateLimited].contains(error.code)
            || error.retryAdvice == true
        let mayRepeat: Bool
        switch error.outcome {
        case .notSent: mayRepeat = isTransient
        case .refused, .unknown:
            let sentBefore = attempt.timeline.steps.filter { $0.step == "answered" }.count
            mayRepeat = attempt.isRepeatable && sentBefore < 2 && isTransient
        case .applied: mayRepeat = false
        }
        guard mayRepeat, error.retryAdvice != false else { return nil }
        let ceiling = Duration.milliseconds(100 << next)
        return error.retryAfter.map { $0 * Double.random(in: 1...1.2) } ?? ceiling * Double.random(in: 0...1)
    }

    /// Of two failures of one request, the one that leaves more open: what may have happened is never forgotten.
    private static func worse(_ first: ProvisioningError?, _ second: ProvisioningError) -> ProvisioningError {
        guard let first, first.outcome == .unknown, second.outcome != .unknown else { return second }
        return first
    }

    private static func callerGone(after failure: ProvisioningError?) -> ProvisioningError {
        failure ?? ProvisioningError(.providerUnavailable, outcome: .notSent, detail: "The caller left.")
    }
}
