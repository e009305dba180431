import Provisioning
import Storage
import Testing

struct StoreMeterTests {
    @Test func everyCommitAndEveryWaitIsMeasured() async throws {
        let folder = try TemporaryFolder()
        let meter = StoreMeter()
        let store = try SQLiteStore(path: folder.file("passgate.db"), audit: .sample, meter: meter) { Moment.start }
        #expect(meter.figures == StoreMeter.Figures())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { _ = try await store.putCard(.sample("card_\(number)"), audit: .backend) }
            }
            try await group.waitForAll()
        }
        await store.close()
        let figures = meter.figures
        #expect(figures.queue.count == 20 && figures.groupSize.sum == 20)
        #expect((1...20).contains(figures.commit.count) && figures.groupSize.count == figures.commit.count)
        #expect(figures.commit.sum > 0 && figures.queue.sum >= 0)
    }

    @Test func aValueIsCountedInTheFirstBucketThatHoldsIt() {
        var histogram = Histogram(bounds: [1, 2])
        for value in [0.5, 1, 1.5, 2, 3] { histogram.observe(value) }
        #expect(histogram.buckets == [2, 2] && histogram.count == 5 && histogram.sum == 8)
        histogram.observe(.milliseconds(1500))
        #expect(histogram.buckets == [2, 3] && histogram.sum == 9.5)
    }
}
