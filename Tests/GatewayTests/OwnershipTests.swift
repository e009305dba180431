import Provisioning
import Storage
import Synchronization
import Testing

@testable import Gateway

/// Whose card it is, where the processor knows.
@Suite struct OwnershipTests {
    private func fixture(_ owner: OwningProvider) throws -> GatewayFixture { try GatewayFixture(owner: owner) }

    private func bind(_ fixture: GatewayFixture, to cardholder: String?, card: String = "card-0001")
        async throws(Problem) -> StoredCard
    {
        try await fixture.gateway.putCard(
            CardDraft(
                key: CardKey(program: "rides", id: card),
                binding: CardBinding(
                    connection: "owner_main", providerCardID: "card_abc", providerCardholderID: cardholder,
                    last4: "4242", network: .visa),
                cardholderID: "holder-1", cardholderName: "Ada Example", title: nil, artURL: nil, metadata: nil,
                at: fixture.clock.now),
            actor: AuditActor(name: "test")
        ).card
    }

    @Test func aCardholderThatIsNotGivenIsLearnt() async throws {
        let fixture = try fixture(OwningProvider())
        let card = try await bind(fixture, to: nil)
        #expect(card.activeBinding?.card.providerCardholderID == "owner_1")
        #expect(try await bind(fixture, to: nil).activeBinding?.card.providerCardholderID == "owner_1")
        #expect(try await bind(fixture, to: "owner_1").activeBinding?.card == card.activeBinding?.card)
    }

    @Test func somebodyElsesCardIsNotFoundAndNothingIsStored() async throws {
        let fixture = try fixture(OwningProvider())
        await #expect(throws: Problem(.providerCardNotFound)) { try await bind(fixture, to: "owner_2") }
        await #expect(throws: Problem(.cardNotFound)) {
            try await fixture.gateway.card(CardKey(program: "rides", id: "card-0001"))
        }
    }

    @Test("E14: a card that there is not is like somebody else's")
    func aCardThatThereIsNotIsLikeSomebodyElses() async throws {
        let owner = OwningProvider()
        owner.set(
            .failure(
                ProvisioningError(
                    .providerCardNotFound, outcome: .refused,
                    upstream: UpstreamReport(status: 404, requestID: "req_1"))))
        let fixture = try fixture(owner)
        for cardholder in ["owner_1", nil] {
            await #expect(throws: Problem(.providerCardNotFound)) { try await bind(fixture, to: cardholder) }
        }
    }

    @Test(arguments: [
        ProvisioningError(.providerUnavailable, outcome: .notSent),
        ProvisioningError(.providerTimeout, outcome: .unknown),
        ProvisioningError(
            .providerUnauthorized, outcome: .refused, upstream: UpstreamReport(status: 403, code: "scope")),
    ])
    func aProcessorThatDoesNotSayIsToldByItsCodeAndNothingIsStored(_ failure: ProvisioningError) async throws {
        let owner = OwningProvider()
        owner.set(.failure(failure))
        let fixture = try fixture(owner)
        for cardholder in ["owner_1", nil] {
            do throws(Problem) {
                _ = try await bind(fixture, to: cardholder)
                Issue.record("the card was stored")
            } catch {
                #expect(error.code == failure.code && error.provider?.connection == "owner_main")
                #expect(error.provider?.upstream == failure.upstream)
            }
        }
        await #expect(throws: Problem(.cardNotFound)) {
            try await fixture.gateway.card(CardKey(program: "rides", id: "card-0001"))
        }
    }

    @Test func aCardThatChangedHandsIsNotOfferedToAnyWallet() async throws {
        let owner = OwningProvider()
        let fixture = try fixture(owner)
        _ = try await bind(fixture, to: "owner_1")
        let key = CardKey(program: "rides", id: "card-0001")
        let before = try await fixture.gateway.wallets(of: key, accept: nil, wallet: .applePay)
        #expect(before.map(\.eligibility.eligible) == [true])
        for other in ["owner_2", nil] as [String?] {
            owner.tell(other)
            let after = try await fixture.gateway.wallets(of: key, accept: nil, wallet: .applePay)
            #expect(after.map(\.eligibility.eligible) == [nil])
            #expect(after.map(\.problem?.code) == [.providerCardNotFound])
        }
    }

    @Test func aReadOfTheWalletsTakesOneCallForEach() async throws {
        let owner = OwningProvider()
        let fixture = try fixture(owner)
        _ = try await bind(fixture, to: "owner_1")
        let calls = owner.calls
        _ = try await fixture.gateway.wallets(
            of: CardKey(program: "rides", id: "card-0001"), accept: nil, wallet: nil)
        #expect(owner.calls - calls == 1)
    }

    @Test func asManyCallsAsTheConnectionBearsMayAskForOwners() async throws {
        let fixture = try GatewayFixture(inFlight: 0, owner: OwningProvider())
        do throws(Problem) {
            _ = try await bind(fixture, to: nil)
            Issue.record("the card was stored")
        } catch {
            #expect(error.code == .overloaded)
        }
    }
}

/// A processor that knows whose cards are whose.
final class OwningProvider: CardOwnership {
    static let descriptor = ProviderDescriptor(
        id: "owner", displayName: "Owner", cardIDPattern: .prefixed(["card_"], .lowercaseAlphanumeric, length: 1...32),
        tokenFeed: .none,
        wallets: [
            WalletSupport(
                wallet: .applePay, channel: .inApp, handoff: .d1Authorization, handshake: .none, repeatRule: .once,
                isSingleUse: true)
        ])

    private struct State {
        var owner: Result<String, ProvisioningError> = .success("owner_1")
        var told: String? = "owner_1"
        var calls = 0
    }
    private let state = Mutex(State())

    /// How many calls it has had.
    var calls: Int { state.withLock { $0.calls } }

    func set(_ owner: Result<String, ProvisioningError>) { state.withLock { $0.owner = owner } }

    func tell(_ owner: String?) { state.withLock { $0.told = owner } }

    func cardholderID(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> String
    {
        try state.withLock { state in
            state.calls += 1
            return state.owner
        }.get()
    }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        throw ProvisioningError(.providerUnavailable, outcome: .notSent)
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        let told = state.withLock { state in
            state.calls += 1
            return state.told
        }
        return Eligibility(eligible: true, providerCardholderID: told)
    }
}
