import ProviderKit
import Provisioning
import Synchronization

/// Keeps the connection's access token until it ends, and gets the next one: one request for all who wait for it.
///
/// This is the one thing that the adapter keeps between calls. A caller that leaves, or whose deadline passes, stops
/// waiting; the request goes on for the others, until the deadline of whoever began it.
///
/// Upstream reference: <https://www.checkout.com/docs/developer-resources/api/manage-api-access>.
final class CheckoutAccessTokens: Sendable, CustomReflectable {
    /// An access token.
    struct Token: Sendable {
        /// What is sent.
        let text: SecretText
        /// When it is no longer used.
        let endsAt: Timestamp
        /// Tells it from those before it.
        fileprivate let number: Int
    }

    /// How a wait ended.
    private enum Ending: Sendable {
        case token(Token)
        /// The request that had that deadline failed.
        case failure(ProvisioningError, until: ContinuousClock.Instant)
    }

    private struct Fetch {
        let number: Int
        let deadline: ContinuousClock.Instant
        var waiting: [Int: CheckedContinuation<Ending, Never>] = [:]
    }

    private struct State {
        var token: Token?
        var fetch: Fetch?
        var count = 0

        mutating func next() -> Int {
            count += 1
            return count
        }
    }

    /// A token is given up this long before its end, so that none ends on its way.
    private static let margin = 60
    /// No token is kept longer than a day, whatever its answer says.
    private static let lifeLimit = 86_400
    private static let callerLeft = ProvisioningError(
        .providerUnavailable, outcome: .notSent, detail: "The caller left before anything was sent.")
    private static let late = ProvisioningError(.providerTimeout, outcome: .notSent)

    private let configuration: CheckoutConfiguration
    private let access: Upstream
    private let clock: any WallClock
    private let state = Mutex(State())

    init(_ configuration: CheckoutConfiguration, kit: AdapterKit) {
        self.configuration = configuration
        access = Upstream(kit, failures: .checkoutAccess)
        clock = kit.clock
    }

    /// Nothing: no description shows a token.
    var customMirror: Mirror { Mirror(self, children: []) }

    /// The token in force, or the next one.
    ///
    /// - Parameter refused: A token that Checkout.com no longer takes; it is not given again.
    /// - Throws: The normalized failure of the request for a token.
    func token(until deadline: ContinuousClock.Instant, insteadOf refused: Token? = nil)
        async throws(ProvisioningError) -> Token
    {
        while true {
            switch await ending(until: deadline, insteadOf: refused?.number) {
            case .token(let token): return token
            case .failure(let error, let other):
                // Somebody with less time began the request: there may be time for another one.
                guard error.code == .providerTimeout, other < deadline, .now < deadline, !Task.isCancelled else {
                    throw error
                }
            }
        }
    }

    /// Waits for the token, the deadline, or cancellation, whichever comes first.
    private func ending(until deadline: ContinuousClock.Instant, insteadOf refused: Int?) async -> Ending {
        if let token = state.withLock({ usable($0.token, refused) }) { return .token(token) }
        return await withTaskGroup(of: Ending?.self) { group in
            group.addTask { [self] in await join(until: deadline, insteadOf: refused) }
            group.addTask { [self] in
                try? await Task.sleep(until: deadline, clock: .continuous)
                if Task.isCancelled { return .failure(Self.callerLeft, until: deadline) }
                // A request that has no more time ends now, and says by itself how.
                let isEnding = state.withLock { $0.fetch.map { $0.deadline <= deadline } ?? true }
                return isEnding ? nil : .failure(Self.late, until: deadline)
            }
            while let ending = await group.next() {
                guard let ending else { continue }
                group.cancelAll()
                return ending
            }
            return .failure(Self.late, until: deadline)
        }
    }

    /// Joins the request under way, or begins one.
    private func join(until deadline: ContinuousClock.Instant, insteadOf refused: Int?) async -> Ending {
        let ticket = state.withLock { $0.next() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let step = state.withLock { state in
                    enter(&state, ticket, continuation, until: deadline, insteadOf: refused)
                }
                switch step {
                case .resume(let ending): continuation.resume(returning: ending)
                case .begin(let number):
                    Task { [self] in finish(number, with: await request(until: deadline)) }
                case .wait: break
                }
            }
        } onCancel: {
            let left = state.withLock { $0.fetch?.waiting.removeValue(forKey: ticket) }
            left?.resume(returning: .failure(Self.callerLeft, until: deadline))
        }
    }

    /// What is to be done once the lock is free.
    private enum Step {
        case resume(Ending)
        case begin(Int)
        case wait
    }

    private func enter(
        _ state: inout State, _ ticket: Int, _ continuation: CheckedContinuation<Ending, Never>,
        until deadline: ContinuousClock.Instant, insteadOf refused: Int?
    ) -> Step {
        if let token = usable(state.token, refused) { return .resume(.token(token)) }
        // Asked under the lock: a cancellation that comes later finds the ticket.
        if Task.isCancelled { return .resume(.failure(Self.callerLeft, until: deadline)) }
        if state.fetch != nil {
            state.fetch?.waiting[ticket] = continuation
            return .wait
        }
        let fetch = Fetch(number: state.next(), deadline: deadline, waiting: [ticket: continuation])
        state.token = nil
        state.fetch = fetch
        return .begin(fetch.number)
    }

    private func usable(_ token: Token?, _ refused: Int?) -> Token? {
        guard let token, token.number != refused, clock.now < token.endsAt else { return nil }
        return token
    }

    /// Asks for a token.
    private func request(until deadline: ContinuousClock.Instant) async -> Result<Token, ProvisioningError> {
        let begun = clock.now
        do throws(ProvisioningError) {
            let answer = try await access.send(configuration.requestToken(deadline: deadline)).checkoutAccessToken()
            let life = min(answer.seconds, Self.lifeLimit)
            let used = life - min(Self.margin, life / 5)
            return .success(
                Token(
                    text: answer.text, endsAt: begun.adding(milliseconds: Int64(used) * 1000),
                    number: state.withLock { $0.next() }))
        } catch {
            return .failure(error)
        }
    }

    /// Ends the request, and tells all who wait.
    private func finish(_ number: Int, with result: Result<Token, ProvisioningError>) {
        let fetch = state.withLock { state in
            let fetch = state.fetch?.number == number ? state.fetch.take() : nil
            if case .success(let token) = result { state.token = token }
            return fetch
        }
        guard let fetch else { return }
        let ending: Ending =
            switch result {
            case .success(let token): .token(token)
            case .failure(let error): .failure(error, until: fetch.deadline)
            }
        for continuation in fetch.waiting.values { continuation.resume(returning: ending) }
    }
}
