import Provisioning
import Testing

@testable import Storage

@Suite struct RecentCardsTests {
    private func card(_ id: String) -> StoredCard {
        StoredCard(
            key: .rides(id), cardholderID: "user_1", cardholderName: "Ada Example", title: nil, artURL: nil,
            metadata: nil, bindings: [], createdAt: Moment.start, updatedAt: Moment.start)
    }

    @Test func itKeepsNoMoreThanItsLimit() {
        let recent = RecentCards(limit: 8)
        for number in 0..<100 { recent.keep(card("card_\(number)"), asOf: 0) }
        let kept = (0..<100).filter { recent.card(.rides("card_\($0)")) != nil }
        #expect(kept.count <= 8)
        #expect(kept.last == 99)
    }

    @Test func whatIsUsedStays() {
        let recent = RecentCards(limit: 8)
        recent.keep(card("used"), asOf: 0)
        for number in 0..<100 {
            recent.keep(card("card_\(number)"), asOf: 0)
            #expect(recent.card(.rides("used")) != nil)
        }
    }

    @Test func whatWasReadBeforeAChangeIsNotKept() {
        let recent = RecentCards()
        let before = recent.changes
        recent.forget(.rides("card_1"))
        recent.keep(card("card_1"), asOf: before)
        #expect(recent.card(.rides("card_1")) == nil)
        recent.keep(card("card_1"), asOf: recent.changes)
        #expect(recent.card(.rides("card_1")) != nil)
    }
}
