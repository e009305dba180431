import Provisioning
import Testing

@testable import Gateway

/// What keeps a connection from being overrun.
@Suite struct ConnectionGuardTests {
    let start = ContinuousClock.now

    @Test func refusesAtOnceWhenFull() {
        let gate = ConnectionGuard()
        #expect(gate.enter(limit: 2, ratePerSecond: nil, at: start) == nil)
        #expect(gate.enter(limit: 2, ratePerSecond: nil, at: start) == nil)
        #expect(gate.enter(limit: 2, ratePerSecond: nil, at: start) == .full)
        gate.leave(nil, at: start)
        #expect(gate.enter(limit: 2, ratePerSecond: nil, at: start) == nil)
    }

    @Test func learnsNothingFromARequestThatNeverCalled() {
        let gate = ConnectionGuard()
        for _ in 0..<20 {
            _ = gate.enter(limit: 2, ratePerSecond: nil, at: start)
            gate.leave(.providerUnavailable, at: start)
        }
        let probe = gate.enter(limit: 2, ratePerSecond: nil, at: start + .seconds(1))
        gate.leaveUncalled()
        #expect(probe == nil)
        #expect(gate.isOpen)
        #expect(gate.inFlight == 0)
    }

    @Test func opensAfterTwentyFailuresInARow() {
        var breaker = CircuitBreaker()
        for _ in 0..<19 { breaker.record(failed: true, at: start) }
        let closed = breaker.admit(at: start)
        #expect(closed == nil)
        breaker.record(failed: true, at: start)
        #expect(breaker.isOpen)
        let open = breaker.admit(at: start)
        #expect(open == .seconds(1))
    }

    @Test func letsOneProbeASecondThroughAndClosesOnAnAnswer() {
        var breaker = CircuitBreaker()
        for _ in 0..<20 { breaker.record(failed: true, at: start) }
        let later = start + .seconds(1)
        let waits = [breaker.admit(at: later), breaker.admit(at: later)]
        #expect(waits == [nil, .seconds(1)])
        breaker.record(failed: true, at: later)
        #expect(breaker.isOpen)
        breaker.record(failed: false, at: later + .seconds(1))
        #expect(!breaker.isOpen)
        let wait = breaker.admit(at: later + .seconds(1))
        #expect(wait == nil)
    }

    @Test func opensAtHalfOfAHundredWithinThirtySeconds() {
        var breaker = CircuitBreaker()
        for _ in 0..<49 {
            breaker.record(failed: false, at: start)
            breaker.record(failed: true, at: start)
        }
        breaker.record(failed: false, at: start)
        #expect(!breaker.isOpen)
        breaker.record(failed: true, at: start)
        #expect(breaker.isOpen)
    }

    @Test func forgetsFailuresOlderThanThirtySeconds() {
        var breaker = CircuitBreaker()
        for _ in 0..<50 {
            breaker.record(failed: true, at: start)
            breaker.record(failed: false, at: start)
        }
        #expect(breaker.isOpen == false)
        let later = start + .seconds(31)
        for _ in 0..<10 { breaker.record(failed: true, at: later) }
        #expect(!breaker.isOpen)
    }

    @Test func allowsTenExtraAttemptsAndATenthOfTheRest() {
        var budget = RetryBudget()
        for _ in 0..<100 { budget.countAttempt(at: start) }
        let allowed = (0..<100).filter { _ in budget.takeExtra(at: start) }.count
        #expect(allowed == 20)
        let isAllowedLater = budget.takeExtra(at: start + .seconds(61))
        #expect(isAllowedLater)
    }

    @Test func letsThroughTheRateAndASecondsWorthAtOnce() {
        var bucket = TokenBucket()
        let passed = (0..<100).filter { _ in bucket.take(rate: 10, at: start + .seconds(1)) == nil }.count
        #expect(passed == 10)
        let wait = bucket.take(rate: 10, at: start + .seconds(1.2))
        #expect(wait == nil)
    }

    @Test func countsACardsAttemptsInTheLastMinute() throws {
        let limits = CardRateLimit()
        let card = CardKeyFixture.card
        for _ in 0..<10 { #expect(limits.admit(card, limit: 10, at: start) == nil) }
        let wait = try #require(limits.admit(card, limit: 10, at: start + .seconds(15)))
        #expect(wait == .seconds(45))
        #expect(limits.admit(card, limit: 10, at: start + .seconds(61)) == nil)
    }
}
