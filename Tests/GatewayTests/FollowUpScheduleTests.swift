import Provisioning
import Storage
import Testing

@testable import Gateway

/// When attempts are followed up.
@Suite struct FollowUpScheduleTests {
    private static let start = Timestamp(seconds: 1_800_000_000)
    private static let day = FollowUpSchedule.dayMilliseconds

    private func schedule(canAsk: Bool = true, jitter: Double = 1) -> FollowUpSchedule {
        FollowUpSchedule(
            start: Self.start, canAsk: canAsk, random: { range in max(range.lowerBound, min(jitter, range.upperBound)) }
        )
    }

    private func after(_ milliseconds: Int64) -> Timestamp { Self.start.adding(milliseconds: milliseconds) }

    @Test func anUnknownOutcomeDoublesItsWaitUpToAnHour() {
        let seconds: [Int64] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600]
        for (followUps, wait) in seconds.enumerated() {
            #expect(schedule().next(for: .unknown, after: followUps, at: Self.start) == after(wait * 1000))
        }
        #expect(schedule().next(for: .unknown, after: 1_000_000, at: Self.start) == after(3_600_000))
        #expect(schedule(jitter: 0).next(for: .unknown, after: 0, at: Self.start) == after(1600))
        #expect(schedule(jitter: 9).next(for: .unknown, after: 0, at: Self.start) == after(2400))
    }

    @Test(arguments: [ProvisioningStatus.handedOff, .undelivered, .added, .requested, .verificationRequired])
    func othersWaitAMinuteAndFourTimesAsLongEachTime(_ status: ProvisioningStatus) {
        for (followUps, minutes) in ([1, 4, 16, 64, 256, 360, 360] as [Int64]).enumerated() {
            #expect(schedule().next(for: status, after: followUps, at: Self.start) == after(minutes * 60_000))
        }
    }

    @Test func theLastQuestionIsAtTheEndOfTheDay() {
        #expect(schedule().next(for: .unknown, after: 40, at: after(Self.day - 5)) == after(Self.day))
        #expect(!schedule().isOver(at: after(Self.day - 1), hasAnswer: true))
        #expect(schedule().isOver(at: after(Self.day), hasAnswer: true))
        #expect(!schedule().isOver(at: after(Self.day), hasAnswer: false))
        #expect(schedule().next(for: .unknown, after: 40, at: after(Self.day)) == after(Self.day + 300_000))
        #expect(schedule().isOver(at: after(Self.day + 3_600_000), hasAnswer: false))
        #expect(schedule().next(for: .unknown, after: 40, at: after(Self.day + 3_600_000)) == nil)
    }

    @Test func withNobodyToAskOnlyTheEndOfTheDayIsLeft() {
        for status in ProvisioningStatus.allCases {
            let next = schedule(canAsk: false).next(for: status, after: 0, at: Self.start)
            let ends: Set<ProvisioningStatus> = [.unknown, .undelivered, .handedOff]
            #expect(next == (ends.contains(status) ? after(Self.day) : nil))
        }
        #expect(schedule(canAsk: false).isOver(at: after(Self.day), hasAnswer: false))
        #expect(schedule(canAsk: false).next(for: .unknown, after: 0, at: after(Self.day + 7)) == after(Self.day + 7))
    }

    @Test func whatIsOverIsNotFollowedUp() {
        for status in [ProvisioningStatus.refused, .active, .declined, .failed, .cancelled, .abandoned] {
            #expect(schedule().next(for: status, after: 0, at: Self.start) == nil)
        }
    }
}
