import Testing

@testable import Gateway

@Suite struct InboundLedgerTests {
    private let ledger = InboundLedger()

    @Test func aConnectionHasItsShareOfTheRoom() {
        let places = (0..<InboundLedger.limitPerConnection).map { _ in ledger.enter("slow", about: nil) }
        #expect(ledger.room.count == InboundLedger.limit - InboundLedger.limitPerConnection)
        #expect(ledger.room.except == ["slow"])
        ledger.leave(places[0], wasRead: true)
        #expect(ledger.room.except.isEmpty)
        for place in places.dropFirst() { ledger.leave(place, wasRead: true) }
        #expect(ledger.room.count == InboundLedger.limit)
    }

    @Test func whoeverComesFirstOfASubjectGoesFirst() async {
        let first = ledger.enter("main", about: "t1")
        let others = [
            ledger.enter("main", about: "t2"), ledger.enter("other", about: "t1"), ledger.enter("main", about: nil),
            ledger.enter("main", about: nil),
        ]
        for other in others { #expect(await other.turn()) }
        let second = ledger.enter("main", about: "t1")
        let third = ledger.enter("main", about: "t1")
        #expect(await first.turn())
        ledger.leave(first, wasRead: true)
        #expect(await second.turn())
        ledger.leave(second, wasRead: true)
        #expect(await third.turn())
        ledger.leave(third, wasRead: true)
        let later = ledger.enter("main", about: "t1")
        #expect(await later.turn(), "nobody is left to wait for")
    }

    @Test func whatWaitsForOneThatIsPutOffIsPutOffToo() async {
        let places = (0..<3).map { _ in ledger.enter("main", about: "t1") }
        ledger.leave(places[0], wasRead: false)
        for place in places.dropFirst() {
            #expect(await place.turn() == false)
            ledger.leave(place, wasRead: false)
        }
    }
}
