import ProviderKit
import Provisioning
import Storage
import Testing

@testable import Gateway

@Suite("A shadow asks the new side, and spends nothing")
struct ShadowTests {
    private let fixture: GuardFixture
    private let gateway: Gateway

    init() async throws {
        fixture = try GuardFixture()
        gateway = try fixture.gateway()
        try await fixture.open(.shadow, cohort: .everyone)
    }

    /// A card that is served by the old side, with a binding at the new one.
    private func card(isBound: Bool = true) -> StoredCard {
        func binding(_ connection: String, _ state: StoredBinding.State) -> StoredBinding {
            StoredBinding(
                card: CardBinding(
                    connection: connection, providerCardID: "card_abc", last4: "4242", network: .visa), state: state)
        }
        var card = StoredCard(
            key: CardKey(program: "rides", id: "card-1"), cardholderID: "user-1", cardholderName: "Ada Example",
            title: nil, artURL: nil, metadata: nil,
            bindings: [binding("old_main", .active)] + (isBound ? [binding("new_main", .standby)] : []),
            createdAt: fixture.clock.now, updatedAt: fixture.clock.now)
        card.migration = CardMigration(id: "mig_1", mode: .shadow, from: "old_main", to: "new_main", isInCohort: true)
        return card
    }

    private func finding(_ kind: ShadowFinding.Kind, _ wallet: Wallet = .applePay) -> ShadowFinding {
        ShadowFinding(migration: "mig_1", wallet: wallet, kind: kind)
    }

    /// What is found once it is asked about.
    private func found(
        _ card: StoredCard, _ answered: Eligibility = Eligibility(eligible: true), handoff: HandoffType = .applePayPass
    ) async throws -> [ShadowFinding: Int] {
        let gateway = gateway
        return try await fixture.run {
            gateway.shadow(card, wallet: .applePay, answered: answered, handoff: handoff)
            while gateway.traffic.gate(of: "new_main").inFlight > 0 { await Task.yield() }
            return gateway.traffic.shadow.take()
        }
    }

    @Test func whatDiffersIsCountedByKind() async throws {
        let rows: [(Eligibility, Result<Eligibility, ProvisioningError>, ShadowFinding.Kind)] = [
            (Eligibility(eligible: true), .success(Eligibility(eligible: true)), .agrees),
            (Eligibility(eligible: true), .success(Eligibility(eligible: false)), .eligibleAtFromOnly),
            (Eligibility(eligible: false), .success(Eligibility(eligible: true)), .eligibleAtToOnly),
            (
                Eligibility(eligible: false, reason: "a"), .success(Eligibility(eligible: false, reason: "b")),
                .reasonDiffers
            ),
            (
                Eligibility(eligible: false, reason: "a"), .success(Eligibility(eligible: false, reason: "a")), .agrees
            ),
            (
                Eligibility(eligible: true), .failure(ProvisioningError(.providerTimeout, outcome: .unknown)),
                .noAnswerAtTo
            ),
            (Eligibility(eligible: nil), .success(Eligibility(eligible: true)), .noAnswerAtFrom),
        ]
        for (answered, result, kind) in rows {
            fixture.to.answerEligibility(result)
            #expect(try await found(card(), answered) == [finding(kind): 1])
        }
        #expect(fixture.to.requests.isEmpty, "no handshake is spent")
    }

    @Test func anotherHandoffIsCountedBesides() async throws {
        #expect(
            try await found(card(), handoff: .stripeEphemeralKey)
                == [finding(.handoffChanges): 1, finding(.agrees): 1])
    }

    @Test func aWalletThatTheNewSideLacksIsADifferenceWithoutACall() async throws {
        fixture.to.turnOff(.applePay)
        #expect(try await found(card()) == [finding(.eligibleAtFromOnly): 1])
    }

    @Test func aCardWithoutABindingThereIsCounted() async throws {
        #expect(try await found(card(isBound: false)) == [finding(.withoutBinding): 1])
    }

    @Test func whereItsShareIsUsedUpTheQuestionIsDropped() async throws {
        let busy = try fixture.gateway("busy", ratePerSecond: 0.000001)
        let card = card()
        let findings = try await fixture.run {
            for _ in 1...3 {
                busy.shadow(card, wallet: .applePay, answered: Eligibility(eligible: true), handoff: .applePayPass)
            }
            while busy.traffic.gate(of: "new_main").inFlight > 0 { await Task.yield() }
            return busy.traffic.shadow.take()
        }
        #expect((findings[finding(.dropped)] ?? 0) >= 2, "\(findings)")
    }

    @Test func whatWasFoundIsKept() async throws {
        _ = try await fixture.run { [gateway, card = card()] in
            gateway.shadow(card, wallet: .applePay, answered: Eligibility(eligible: true), handoff: .applePayPass)
            while gateway.traffic.gate(of: "new_main").inFlight > 0 { await Task.yield() }
            await gateway.keepCounts()
        }
        let report = try await fixture.gateway("later", ownStore: true).report(ofMigration: "mig_1", program: "rides")
        #expect(report.findings == [finding(.agrees): 1] && report.guardState == .idle)
        // The scripted processor has an eligibility call.
        #expect(report.gap == nil)
    }

    @Test func aLiveMigrationAsksNothing() async throws {
        var card = card()
        card.migration?.mode = .live
        #expect(try await found(card).isEmpty)
        card.migration?.mode = .shadow
        card.migration?.isInCohort = false
        #expect(try await found(card).isEmpty)
    }
}
