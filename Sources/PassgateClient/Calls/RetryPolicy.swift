/// Which failures a call tries again by itself, and how.
///
/// Only `same_request` and `after_delay` are tried again, with the same idempotency key; what they mean is the gateway's
/// promise. `fresh_handshake` and `check_wallet_first` need the device, `fix_request` needs a developer, `treat_as_success`
/// and `never` need nobody: these are told to the caller at once, whatever the policy.
public struct RetryPolicy: Sendable, Hashable {
    /// How many times a call is sent at most, the first time included.
    public var attempts: Int
    /// How long to wait where the gateway does not say: doubled each time, and jittered down to half.
    public var firstDelay: Duration
    /// Where more waiting than this is asked for, the problem is told instead: the caller knows better when to come again.
    public var longestDelay: Duration
    /// Whether a call is sent again where no answer came, or one that a proxy made (502, 503, 504 without a problem). Safe,
    /// since every call can be repeated under its idempotency key or by its method. A handoff that was on its way is lost:
    /// then the repeat is `handoff_already_delivered`, to be started over on the device.
    public var repeatsLostAnswers: Bool

    /// Makes a policy of its members.
    public init(
        attempts: Int = 3, firstDelay: Duration = .milliseconds(200), longestDelay: Duration = .seconds(5),
        repeatsLostAnswers: Bool = true
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.repeatsLostAnswers = repeatsLostAnswers
    }

    /// Tries nothing again.
    public static let none = RetryPolicy(attempts: 1)

    /// How long to wait before the call is sent again; nil where it is not.
    ///
    /// - Parameters:
    ///   - attempt: How many times it was sent.
    ///   - jitter: From 0 to 1.
    func delay(after failure: PassgateError, attempt: Int, jitter: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let backoff = firstDelay * (1 << min(attempt - 1, 16)) * (1 - jitter / 2)
        let delay: Duration
        switch failure {
        case .problem(let problem):
            switch problem.retry {
            case .sameRequest: delay = backoff
            case .afterDelay: delay = problem.retryAfter.map { .seconds($0) } ?? backoff
            case .fixRequest, .freshHandshake, .checkWalletFirst, .treatAsSuccess, .never, .other: return nil
            }
        case .noAnswer(let error):
            guard repeatsLostAnswers, !(error is CancellationError) else { return nil }
            delay = backoff
        case .unreadable(let status, _):
            guard repeatsLostAnswers, [502, 503, 504].contains(status) else { return nil }
            delay = backoff
        case .notSendable: return nil
        }
        return delay <= longestDelay ? delay : nil
    }
}
