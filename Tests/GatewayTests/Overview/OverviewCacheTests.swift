import Storage
import Testing

@testable import Gateway

struct OverviewCacheTests {
    private static let empty = AttemptOverview(funnels: [], failures: [], isWhole: true)

    @Test(arguments: [(3_600_000, 3_000), (86_400_000, 10_000), (2_592_000_000, 60_000)] as [(Int64, Int)])
    func anOverviewIsGoodForAShortWhile(window: Int64, lifetime: Int) {
        let cache = OverviewCache()
        let key = OverviewCache.Key(program: "rides", milliseconds: window)
        let now = ContinuousClock.now
        #expect(cache.overview(key, at: now) == nil)
        cache.keep(Self.empty, as: key, madeAt: now)
        #expect(cache.overview(key, at: now + .milliseconds(lifetime - 1)) == Self.empty)
        #expect(cache.overview(OverviewCache.Key(program: "travel", milliseconds: window), at: now) == nil)
        #expect(cache.overview(key, at: now + .milliseconds(lifetime)) == nil)
    }
}
