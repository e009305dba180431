import Provisioning
import Storage
import Testing

@testable import Gateway

@Suite("A card's bindings are given by its program alone")
struct BindingTests {
    private func put(
        _ fixture: GatewayFixture, _ id: String, at connection: String = "owner_main", holder: String? = nil,
        state: StoredBinding.State = .standby, card: String = "card-0001"
    ) async throws(Problem) -> (card: StoredCard, isNew: Bool) {
        try await fixture.gateway.putBinding(
            CardBinding(
                connection: connection, providerCardID: id, providerCardholderID: holder, last4: "4242", network: .visa),
            of: CardKey(program: "rides", id: card), state: state, actor: .test)
    }

    private func code(
        _ fixture: GatewayFixture, _ id: String, at connection: String = "owner_main", holder: String? = nil,
        card: String = "card-0001"
    ) async -> ProblemCode? {
        do throws(Problem) { _ = try await put(fixture, id, at: connection, holder: holder, card: card) } catch {
            return error.code
        }
        return nil
    }

    @Test func aBindingIsNewOnceAndItsOwnerIsLearnt() async throws {
        let fixture = try GatewayFixture(owner: OwningProvider())
        try await fixture.registerCard()
        let first = try await put(fixture, "card_new")
        #expect(first.isNew && first.card.bindings.last?.card.providerCardholderID == "owner_1")
        let second = try await put(fixture, "card_new", holder: "owner_1")
        #expect(!second.isNew && second.card == first.card)
        #expect(await code(fixture, "card_new", holder: "owner_2") == .providerCardNotFound)
    }

    @Test func whatDoesNotFitIsNotAskedAbout() async throws {
        let owner = OwningProvider()
        let fixture = try GatewayFixture(owner: owner)
        try await fixture.registerCard()
        #expect(await code(fixture, "card_new", at: "elsewhere") == .connectionNotFound)
        #expect(await code(fixture, "BAD") == .invalidRequest)
        #expect(await code(fixture, "card_new", card: "card-0002") == .cardNotFound)
        #expect(owner.calls == 0)
        do throws(Problem) { _ = try await put(fixture, "BAD") } catch {
            #expect(error.errors.map(\.pointer) == ["/provider_card_id"])
        }
    }

    @Test func whoIsMadeActiveServesTheNextAttempt() async throws {
        let fixture = try GatewayFixture(owner: OwningProvider())
        try await fixture.registerCard()
        _ = try await put(fixture, "card_new")
        #expect(await fixture.problem(fixture.googleCommand()) == nil)
        _ = try await put(fixture, "card_new", state: .active)
        // The processor that serves now has no Google Pay.
        #expect(await fixture.problem(fixture.googleCommand())?.code == .walletUnsupported)
        _ = try await put(fixture, "card_abc", at: "scripted_main", state: .active)
        #expect(await fixture.problem(fixture.googleCommand()) == nil)
        let card = try await fixture.gateway.card(CardKey(program: "rides", id: "card-0001"))
        #expect(card.bindings.map(\.state) == [.active, .standby])
    }

    @Test func theLastActiveBindingStays() async throws {
        let fixture = try GatewayFixture(owner: OwningProvider())
        try await fixture.registerCard()
        for state in [StoredBinding.State.standby, .retired] {
            do throws(Problem) {
                _ = try await put(fixture, "card_abc", at: "scripted_main", state: state)
                Issue.record("no binding is active")
            } catch {
                #expect(error.code == .bindingConflict && error.retry == .fixRequest)
                #expect(error.errors.map(\.pointer) == ["/state"])
                #expect(error.detail?.contains("another binding") == true)
            }
        }
        _ = try await put(fixture, "card_new")
        do throws(Problem) { _ = try await put(fixture, "card_abc", at: "scripted_main", state: .retired) } catch {
            #expect(error.detail?.contains("`owner_main`") == true)
        }
    }
}
