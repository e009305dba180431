import Provisioning
import Storage
import Testing

@Suite("Every store queues events for destinations, and hands each to one sender at a time")
struct DestinationContractTests {
    private func withCards(
        _ kind: StoreKind, _ count: Int = 3, _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for number in 1...count { _ = try await store.putCard(.sample("card_\(number)"), audit: .backend) }
            try await body(store, test)
        }
    }

    /// Has an event written, of a token of its own.
    private static func tell(_ token: String, of card: String = "card_1", _ store: any Store) async throws {
        _ = try await store.settle(.sample(.sample(token), observedAfter: 6000, card: .rides(card)))
    }

    // MARK: Destinations

    @Test(arguments: StoreKind.all)
    func aDestinationIsKeptListedAndRemoved(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, test) async throws in
            for number in 1...3 { try await store.add(.sample("dest_\(number)"), audit: .backend) }
            try await store.add(.sample("dest_m", program: "meals"), audit: .backend)
            let reopened = try await test.open()
            #expect(try await reopened.destination("dest_2", program: "rides") == .sample("dest_2"))
            #expect(try await reopened.destination("dest_2", program: "meals") == nil)
            let first = try await store.destinations(
                DestinationQuery(program: "rides", page: PageRequest(limit: 2)))
            #expect(first.elements.map(\.id) == ["dest_1", "dest_2"])
            let rest = try await store.destinations(
                DestinationQuery(program: "rides", page: PageRequest(limit: 2, cursor: first.nextCursor)))
            #expect(rest.elements.map(\.id) == ["dest_3"] && rest.nextCursor == nil)
            #expect(
                try await !store.removeDestination(
                    "dest_1", program: "meals", audit: .backend, at: Moment.start))
            #expect(
                try await store.removeDestination(
                    "dest_1", program: "rides", audit: .backend, at: Moment.start))
            #expect(
                try await !store.removeDestination(
                    "dest_1", program: "rides", audit: .backend, at: Moment.start))
            #expect(try await store.destination("dest_1", program: "rides") == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func aSecretIsReplacedAndTheFormerSignsForAWhile(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            let rotation = SecretRotation(
                id: "dest_1", program: "rides", sealedSecret: "second", formerUntil: Moment.after(1000),
                at: Moment.after(1))
            let rotated = try #require(try await store.rotate(rotation, audit: .backend))
            #expect(rotated.sealedSecrets(at: Moment.after(999)) == ["second", "first"])
            #expect(rotated.sealedSecrets(at: Moment.after(1000)) == ["second"])
            #expect(rotated.updatedAt == Moment.after(1))
            #expect(try await store.destination("dest_1", program: "rides") == rotated)
            var foreign = rotation
            foreign.program = "meals"
            #expect(try await store.rotate(foreign, audit: .backend) == nil)
        }
    }

    // MARK: The queue

    @Test(arguments: StoreKind.all)
    func everyEventIsQueuedForEveryDestinationOfItsProgram(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await Self.tell("before", store)
            for number in 1...2 { try await store.add(.sample("dest_\(number)"), audit: .backend) }
            try await store.add(.sample("dest_m", program: "meals"), audit: .backend)
            try await Self.tell("after", store)
            for id in ["dest_1", "dest_2"] {
                let log = try await store.deliveries(.to(id)).elements
                #expect(log.map(\.status) == [.pending] && log.map(\.type) == ["token.active"])
                #expect(log.first?.nextAt != nil && log.first?.attempts == [])
            }
            #expect(try await store.deliveries(.to("dest_m")).elements.isEmpty)
            let claimed = try await store.claim(.sample(after: 10_000))
            #expect(Set(claimed.map(\.destination.id)) == ["dest_1", "dest_2"])
            #expect(Set(claimed.map(\.event.id)).count == 1 && claimed.allSatisfy { $0.tries == 0 })
        }
    }

    @Test(arguments: StoreKind.all)
    func oneSenderHasADeliveryUntilItsLeaseRunsOut(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, test) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            try await Self.tell("t1", store)
            let other = try await test.open()
            let claimed = try await store.claim(.sample(after: 10_000))
            let number = try #require(claimed.first?.number)
            #expect(try await other.claim(.sample("two", after: 69_999)).isEmpty)
            let again = try await other.claim(.sample("two", after: 70_000))
            #expect(again.map(\.number) == [number])
            // What the first one says by now counts for nothing.
            try await store.finish(.sample(number, .delivered, after: 70_001))
            #expect(try await store.deliveries(.to("dest_1")).elements.map(\.status) == [.pending])
            try await other.finish(.sample(number, holder: "two", .delivered, after: 70_002))
            let log = try await store.deliveries(.to("dest_1")).elements
            #expect(log.map(\.status) == [.delivered] && log.first?.nextAt == nil)
            #expect(log.first?.attempts.map(\.status) == [200])
            #expect(try await store.claim(.sample(after: 900_000)).isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func manySendersShareTheQueueWithoutADouble(_ kind: StoreKind) async throws {
        try await withCards(kind, 20) { (store, test) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            for number in 1...20 { try await Self.tell("t\(number)", of: "card_\(number)", store) }
            let stores = [store, try await test.open()]
            let numbers = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for sender in 0..<8 {
                    group.addTask {
                        var claim = OutgoingClaim.sample("sender \(sender)", after: 10_000)
                        claim.limitPerDestination = 100
                        return try await stores[sender % 2].claim(claim).map(\.number)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(numbers.count == 20 && Set(numbers).count == 20)
        }
    }

    @Test(arguments: StoreKind.all)
    func aDestinationHasABoundedShareAndACardOneAtATime(_ kind: StoreKind) async throws {
        try await withCards(kind, 6) { (store, _) async throws in
            for id in ["dest_1", "dest_2"] { try await store.add(.sample(id), audit: .backend) }
            for card in 1...6 {
                for token in 1...2 { try await Self.tell("c\(card)t\(token)", of: "card_\(card)", store) }
            }
            let first = try await store.claim(.sample(after: 10_000))
            for id in ["dest_1", "dest_2"] {
                let own = first.filter { $0.destination.id == id }
                #expect(own.count == 4 && Set(own.map(\.event.card)).count == 4)
                #expect(own.allSatisfy { $0.event.sequence == 1 })
            }
            // Nothing more until one of them has ended.
            #expect(try await store.claim(.sample(after: 10_001)).isEmpty)
            let done = try #require(first.first { $0.destination.id == "dest_1" && $0.event.card == "card_1" })
            try await store.finish(.sample(done.number, .delivered, after: 10_002))
            let next = try await store.claim(.sample(after: 10_003))
            #expect(next.map(\.event.card) == ["card_1"] && next.map(\.event.sequence) == [2])
            var few = OutgoingClaim.sample(after: 10_004)
            few.limit = 0
            #expect(try await store.claim(few).isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func aTryInVainComesAgainInTimeAndTheLastEndsIt(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            try await Self.tell("t1", store)
            let number = try #require(try await store.claim(.sample(after: 10_000)).first?.number)
            try await store.finish(.sample(number, .again(at: Moment.after(20_000)), after: 10_100, status: 500))
            #expect(try await store.claim(.sample(after: 19_999)).isEmpty)
            let again = try await store.claim(.sample(after: 20_000))
            #expect(again.map(\.tries) == [1])
            try await store.finish(.sample(number, .untouched, after: 20_001))
            #expect(try await store.claim(.sample(after: 20_002)).map(\.tries) == [1])
            try await store.finish(.sample(number, .dead, after: 20_003, status: nil))
            let log = try #require(try await store.deliveries(.to("dest_1")).elements.first)
            #expect(log.status == .dead && log.attempts.map(\.status) == [500, nil])
            #expect(log.attempts.map(\.failure) == [nil, "unreachable"])
            #expect(try await store.claim(.sample(after: 900_000)).isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func aDestinationThatWantsNoMoreGetsNoMore(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            for card in 1...3 { try await Self.tell("t\(card)", of: "card_\(card)", store) }
            let number = try #require(try await store.claim(.sample(after: 10_000)).first?.number)
            try await store.finish(.sample(number, .gone, after: 10_001, status: 410))
            #expect(try await store.destination("dest_1", program: "rides")?.status == .disabled)
            let dead = try await store.deliveries(.to("dest_1", .dead)).elements
            #expect(dead.count == 3)
            #expect(try await store.deliveries(.to("dest_1", .pending)).elements.isEmpty)
            try await Self.tell("later", store)
            #expect(try await store.claim(.sample(after: 900_000)).isEmpty)
            // Others of them were under way: their ends change nothing.
            try await store.finish(.sample(number + 1, .delivered, after: 10_002))
            #expect(try await store.deliveries(.to("dest_1", .dead)).elements.count == 3)
        }
    }

    // MARK: Replays

    @Test(arguments: StoreKind.all)
    func aReplayBeginsWithAnEventOrATime(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            for number in 1...5 {
                _ = try await store.settle(
                    .sample(.sample("t\(number)"), observedAfter: 6000, receivedAfter: Int64(number) * 1000))
            }
            try await store.add(.sample("dest_1"), audit: .backend)
            let events = try await store.events(.rides()).elements
            var wish = Replay(
                destination: "dest_1", program: "rides", start: .event(events[2].id), isForDeadOnly: false, limit: 100,
                at: Moment.after(9000))
            #expect(try await store.replay(wish, audit: .backend) == .queued(3, next: nil))
            let log = try await store.deliveries(.to("dest_1")).elements
            #expect(log.map(\.event) == events[2...].map(\.id).reversed())
            wish.start = .time(Moment.after(2000))
            #expect(try await store.replay(wish, audit: .backend) == .queued(4, next: nil))
            wish.start = .beginning
            wish.limit = 2
            #expect(try await store.replay(wish, audit: .backend) == .queued(2, next: events[2].id))
            #expect(try await store.deliveries(.to("dest_1")).elements.count == 5)
            wish.start = .event("evt_nobody")
            #expect(try await store.replay(wish, audit: .backend) == .unknownEvent)
            wish.program = "meals"
            #expect(try await store.replay(wish, audit: .backend) == .unknownDestination)
        }
    }

    @Test(arguments: StoreKind.all)
    func aReplayOfDeadLettersLeavesTheOthersAndEnables(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            for card in 1...3 { try await Self.tell("t\(card)", of: "card_\(card)", store) }
            let claimed = try await store.claim(.sample(after: 10_000))
            try await store.finish(.sample(claimed[0].number, .delivered, after: 10_001))
            try await store.finish(.sample(claimed[1].number, .gone, after: 10_002, status: 410))
            let wish = Replay(
                destination: "dest_1", program: "rides", start: .beginning, isForDeadOnly: true, limit: 100,
                at: Moment.after(10_003))
            #expect(try await store.replay(wish, audit: .backend) == .queued(2, next: nil))
            #expect(try await store.destination("dest_1", program: "rides")?.status == .enabled)
            let again = try await store.claim(.sample(after: 10_004))
            #expect(Set(again.map(\.event.id)) == Set(claimed[1...].map(\.event.id)))
            #expect(again.allSatisfy { $0.tries == 0 })
            // What is under way is not queued beside itself.
            #expect(try await store.replay(wish, audit: .backend) == .queued(0, next: nil))
        }
    }

    // MARK: Upkeep

    @Test(arguments: StoreKind.all)
    func deliveriesAreKeptAsLongAsTheyAreToldToBe(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            try await Self.tell("t1", store)
            try await store.sweep(at: Moment.after(30 * Moment.day), retention: Retention())
            #expect(try await store.deliveries(.to("dest_1")).elements.count == 1)
            try await store.sweep(at: Moment.after(30 * Moment.day + 10_000), retention: Retention())
            #expect(try await store.deliveries(.to("dest_1")).elements.isEmpty)
            #expect(try await store.events(.rides()).elements.count == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func anEventThatIsDroppedTakesItsDeliveriesAlong(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            try await Self.tell("t1", store)
            var retention = Retention()
            retention.events = 1
            try await store.sweep(at: Moment.after(2 * Moment.day), retention: retention)
            #expect(try await store.events(.rides()).elements.isEmpty)
            #expect(try await store.deliveries(.to("dest_1")).elements.isEmpty)
            #expect(try await store.claim(.sample(after: 3 * Moment.day)).isEmpty)
        }
    }
}
