import Provisioning

/// Whether a call that failed may be made again, and when: by what the failure means.
struct RetryRule: Sendable {
    /// How many calls one request may make, whoever asks for them.
    static let callLimit = 3
    /// How many of them may have reached the processor.
    static let sentLimit = 2

    /// Whether what the call carries can be used again after it was sent.
    let isRepeatable: Bool
    /// Gives a number within a range: chance, unless a test says otherwise.
    var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    /// How long to wait before the next call; nil where there must be none.
    ///
    /// What was not sent may be tried again. What was sent is sent once more where it can be used again, unless the
    /// processor advises otherwise; its advice for a repeat counts where the failure alone would not.
    ///
    /// - Parameters:
    ///   - calls: How many calls were made.
    ///   - sent: How many of them may have reached the processor.
    func pause(after error: ProvisioningError, calls: Int, sent: Int) -> Duration? {
        let isTransient = [.providerUnavailable, .providerTimeout, .providerRateLimited].contains(error.code)
        let mayRepeat: Bool
        switch error.outcome {
        case .notSent: mayRepeat = isTransient
        case .refused, .unknown: mayRepeat = isRepeatable && sent < Self.sentLimit && error.retryAdvice ?? isTransient
        case .applied: mayRepeat = false
        }
        guard mayRepeat, calls < Self.callLimit, error.retryAdvice != false else { return nil }
        // A wait that was asked for is kept; callers who were told the same do not all come back at once.
        if let wait = error.retryAfter, wait > .zero { return wait * random(1...1.2) }
        return .milliseconds(100 << calls) * random(0...1)
    }
}
