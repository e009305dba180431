import Provisioning
import Storage
import Testing

@testable import Gateway

/// What keeps a connection from being overrun.
@Suite struct ConnectionGuardTests {
    let start = ContinuousClock.now

    private func open(_ gate: ConnectionGuard) throws {
        for _ in 0..<20 {
            try gate.enter(limit: 9, ratePerSecond: nil, at: start).leave(.providerUnavailable, at: start)
        }
        #expect(gate.isOpen)
    }

    @Test func refusesAtOnceWhenFull() throws {
        let gate = ConnectionGuard()
        let pass = try gate.enter(limit: 2, ratePerSecond: nil, at: start)
        _ = try gate.enter(limit: 2, ratePerSecond: nil, at: start)
        #expect(throws: ConnectionGuard.Refusal.full) { try gate.enter(limit: 2, ratePerSecond: nil, at: start) }
        pass.leave(nil, at: start)
        #expect(throws: Never.self) { try gate.enter(limit: 2, ratePerSecond: nil, at: start) }
    }

    @Test func learnsNothingFromARequestThatNeverCalled() throws {
        let gate = ConnectionGuard()
        try open(gate)
        try gate.enter(limit: 2, ratePerSecond: nil, at: start + .seconds(1)).leaveUncalled()
        #expect(gate.isOpen)
        #expect(gate.inFlight == 0)
    }

    @Test func givesTheProbeOfARequestThatNeverCalledToTheNext() throws {
        let gate = ConnectionGuard()
        try open(gate)
        let later = start + .seconds(1)
        try gate.enter(limit: 2, ratePerSecond: nil, at: later).leaveUncalled()
        let probe = try gate.enter(limit: 2, ratePerSecond: nil, at: later)
        #expect(throws: ConnectionGuard.Refusal.open(.seconds(1))) {
            try gate.enter(limit: 2, ratePerSecond: nil, at: later)
        }
        // Where another probe has gone meanwhile, there is none to give back.
        let second = try gate.enter(limit: 3, ratePerSecond: nil, at: later + .seconds(1))
        probe.leaveUncalled()
        #expect(throws: ConnectionGuard.Refusal.open(.seconds(1))) {
            try gate.enter(limit: 3, ratePerSecond: nil, at: later + .seconds(1))
        }
        second.leave(nil, at: later + .seconds(1))
        #expect(!gate.isOpen)
    }

    @Test func spendsNoProbeWhereTheRateRefuses() throws {
        let gate = ConnectionGuard()
        try open(gate)
        let later = start + .seconds(1)
        _ = try gate.enter(limit: 9, ratePerSecond: 1, at: later)
        let next = later + .seconds(1)
        #expect(throws: ConnectionGuard.Refusal.rate(.seconds(1))) {
            try gate.enter(limit: 9, ratePerSecond: 0.5, at: next)
        }
        #expect(throws: Never.self) { try gate.enter(limit: 9, ratePerSecond: nil, at: next) }
    }

    @Test func givesBackTheRateOfARequestThatNeverCalled() throws {
        let gate = ConnectionGuard()
        for _ in 0..<10 { try gate.enter(limit: 1, ratePerSecond: 1, at: start).leaveUncalled() }
        try gate.enter(limit: 1, ratePerSecond: 1, at: start).leave(nil, at: start)
        #expect(throws: ConnectionGuard.Refusal.rate(.seconds(1))) {
            try gate.enter(limit: 1, ratePerSecond: 1, at: start)
        }
    }

    @Test func opensAfterTwentyFailuresInARow() {
        var breaker = CircuitBreaker()
        for _ in 0..<19 { breaker.record(failed: true, at: start) }
        #expect(breaker.wait(at: start) == nil)
        breaker.record(failed: true, at: start)
        #expect(breaker.isOpen)
        #expect(breaker.wait(at: start) == .seconds(1))
    }

    @Test func letsOneProbeASecondThroughAndClosesOnAnAnswer() {
        var breaker = CircuitBreaker()
        for _ in 0..<20 { breaker.record(failed: true, at: start) }
        let later = start + .seconds(1)
        #expect(breaker.wait(at: later) == nil)
        let probe = breaker.admit(at: later)
        #expect(probe != nil)
        #expect(breaker.wait(at: later) == .seconds(1))
        breaker.record(failed: true, at: later)
        #expect(breaker.isOpen)
        breaker.record(failed: false, at: later + .seconds(1))
        #expect(!breaker.isOpen)
        #expect(breaker.wait(at: later + .seconds(1)) == nil)
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

    @Test func forgetsCardsThatHaveHadNoAttemptForAMinute() {
        let limits = CardRateLimit()
        func card(_ number: Int) -> CardKey { CardKey(program: "rides", id: "card-\(number)") }
        for minute in 0..<5 {
            let now = start + .seconds(61 * minute)
            for number in 0..<1000 { #expect(limits.admit(card(minute * 1000 + number), limit: 1, at: now) == nil) }
            #expect(limits.count <= 2000, "what is a minute old is dropped")
        }
        // Just before a minute has passed, an attempt still counts, wherever the minutes of others began.
        for offset in [0, 1, 29, 59, 60] {
            let moment = start + .seconds(400 + offset)
            let card = card(-1 - offset)
            #expect(limits.admit(card, limit: 1, at: moment) == nil)
            #expect(limits.admit(card, limit: 1, at: moment + .milliseconds(59_999)) == .milliseconds(1))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func countsAHundredThousandAttemptsOfOneCard() {
        let limits = CardRateLimit()
        for number in 0..<200_000 {
            _ = limits.admit(CardKeyFixture.card, limit: 1_000_000_000, at: start + .microseconds(600 * number))
        }
        #expect(limits.admit(CardKeyFixture.card, limit: 99_999, at: start + .seconds(120)) != nil)
    }

    @Test func leavesATenthToCallsThatCanWait() throws {
        let gate = ConnectionGuard()
        for _ in 0..<2 { try gate.enterBackground(limit: 20, ratePerSecond: nil, at: start) }
        #expect(throws: ConnectionGuard.Refusal.full) {
            try gate.enterBackground(limit: 20, ratePerSecond: nil, at: start)
        }
        #expect(gate.inFlight == 2)
        for _ in 0..<18 { _ = try gate.enter(limit: 20, ratePerSecond: nil, at: start) }
        gate.leaveBackground()
        _ = try gate.enter(limit: 20, ratePerSecond: nil, at: start)
        #expect(throws: ConnectionGuard.Refusal.full) {
            try gate.enterBackground(limit: 20, ratePerSecond: nil, at: start)
        }
    }

    @Test(arguments: [0.5, 5, 50.0])
    func leavesATenthOfTheRateToReadsAndCallsThatCanWaitTogether(rate: Double) throws {
        let gate = ConnectionGuard()
        var passed = 0
        for tick in 0..<100 {
            let now = start + .milliseconds(100 * tick)
            while let pass = try? gate.enter(limit: 256, ratePerSecond: rate, isRead: true, at: now) {
                pass.leave(nil, at: now)
                passed += 1
                if (try? gate.enterBackground(limit: 256, ratePerSecond: rate, at: now)) != nil {
                    gate.leaveBackground()
                    passed += 1
                }
            }
        }
        #expect(Double(passed) <= rate + max(rate / 10, 1), "a tenth, and what was saved up")
        #expect(Double(passed) >= rate * 0.9)
    }

    @Test func provisioningsComeBeforeReads() throws {
        let gate = ConnectionGuard()
        var (provisionings, reads) = (0, 0)
        for tick in 0..<100 {
            let now = start + .milliseconds(100 * tick)
            // Reads are always there first.
            if let read = try? gate.enter(limit: 256, ratePerSecond: 20, isRead: true, at: now) {
                read.leave(nil, at: now)
                reads += 1
            }
            while let pass = try? gate.enter(limit: 256, ratePerSecond: 20, at: now) {
                pass.leave(nil, at: now)
                provisionings += 1
            }
        }
        // Twenty saved up, and twenty for each of ten seconds; once provisionings take all, reads get none.
        #expect(reads <= 2 && provisionings >= 216, "\(provisionings) and \(reads)")
    }

    @Test func readsHaveNoRateWhereTheConnectionHasNone() throws {
        let gate = ConnectionGuard()
        for _ in 0..<200 { _ = try gate.enter(limit: 256, ratePerSecond: nil, isRead: true, at: start) }
        #expect(gate.inFlight == 200)
    }

    @Test func aReadThatNeverCalledIsGivenBack() throws {
        let gate = ConnectionGuard()
        for _ in 0..<10 { try gate.enter(limit: 1, ratePerSecond: 20, isRead: true, at: start).leaveUncalled() }
        for _ in 0..<2 { try gate.enter(limit: 1, ratePerSecond: 20, isRead: true, at: start).leave(nil, at: start) }
        #expect(throws: ConnectionGuard.Refusal.self) {
            try gate.enter(limit: 1, ratePerSecond: 20, isRead: true, at: start)
        }
    }

    @Test func anExtraAttemptIsACallOfTheRateToo() throws {
        let gate = ConnectionGuard()
        let pass = try gate.enter(limit: 9, ratePerSecond: 2, at: start)
        #expect(pass.takeExtraAttempt(at: start))
        #expect(!pass.takeExtraAttempt(at: start), "two a second are two calls, whoever makes them")
        #expect(pass.takeExtraAttempt(at: start + .seconds(1)))
    }

    @Test func leavesATenthOfTheRateToCallsThatCanWait() throws {
        for rate in [0.5, 5, 50.0] {
            let gate = ConnectionGuard()
            var passed = 0
            // Ten seconds by tenths, with nothing else on the connection.
            for tick in 0..<100 {
                while (try? gate.enterBackground(limit: 256, ratePerSecond: rate, at: start + .milliseconds(100 * tick)))
                    != nil
                {
                    gate.leaveBackground()
                    passed += 1
                }
            }
            #expect(Double(passed) <= rate + max(rate / 10, 1), "a tenth, and what was saved up")
            #expect(Double(passed) >= rate * 0.9)
        }
    }

    @Test func putsCallsThatCanWaitBehindTheOthers() throws {
        let gate = ConnectionGuard()
        let later = start + .seconds(1)
        for _ in 0..<10 { _ = try gate.enter(limit: 256, ratePerSecond: 20, at: later) }
        #expect(throws: (any Error).self) { try gate.enterBackground(limit: 256, ratePerSecond: 20, at: later) }
        for _ in 0..<10 { _ = try gate.enter(limit: 256, ratePerSecond: 20, at: later) }
        #expect(throws: (any Error).self) { _ = try gate.enter(limit: 256, ratePerSecond: 20, at: later) }
        try gate.enterBackground(limit: 256, ratePerSecond: 20, at: later + .seconds(1))
    }
}
