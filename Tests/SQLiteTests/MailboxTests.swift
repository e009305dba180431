import SQLite
import Synchronization
import Testing

struct MailboxTests {
    @Test func elementsAreTakenInOrderAndNoMoreThanWanted() {
        let mailbox = Mailbox<Int>()
        for number in 1...5 { #expect(mailbox.put(number)) }
        #expect(mailbox.take(atMost: 3) == [1, 2, 3])
        #expect(mailbox.take(atMost: 3) == [4, 5])
    }

    @Test func aClosedMailboxGivesWhatItHasAndTakesNothing() {
        let mailbox = Mailbox<Int>()
        #expect(mailbox.put(1))
        mailbox.close()
        #expect(!mailbox.put(2))
        #expect(mailbox.take(atMost: 9) == [1])
        #expect(mailbox.take(atMost: 9) == nil)
    }

    @Test func aWakeReturnsNothingAndNotTooEarly() {
        let mailbox = Mailbox<Int>()
        let start = ContinuousClock.now
        mailbox.wake(afterMilliseconds: 30)
        #expect(mailbox.take(atMost: 9) == [])
        #expect(ContinuousClock.now - start >= .milliseconds(30))
    }

    @Test func theEarlierWakeCounts() {
        let mailbox = Mailbox<Int>()
        mailbox.wake(afterMilliseconds: 0)
        mailbox.wake(afterMilliseconds: 3_600_000)
        #expect(mailbox.take(atMost: 9) == [])
    }

    @Test func aThreadThatWaitsGetsWhatIsPutLater() async {
        let mailbox = Mailbox<Int>()
        let sum = await withCheckedContinuation { continuation in
            DatabaseThread.start(name: "test") {
                var sum = 0
                while let numbers = mailbox.take(atMost: 10) { sum += numbers.reduce(0, +) }
                continuation.resume(returning: sum)
            }
            for number in 1...100 { _ = mailbox.put(number) }
            mailbox.close()
        }
        #expect(sum == 5050)
    }

    @Test func aCloseFreesAThreadThatWaits() async {
        let mailbox = Mailbox<Int>()
        let isEmpty = await withCheckedContinuation { continuation in
            DatabaseThread.start(name: "test") { continuation.resume(returning: mailbox.take(atMost: 1) == nil) }
            mailbox.close()
        }
        #expect(isEmpty)
    }
}
