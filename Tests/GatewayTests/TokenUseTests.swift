import Provisioning
import Storage
import Testing

@testable import Gateway

/// How tokens are listed, read and changed: over a real store, with a processor that says what the test tells it to.
@Suite struct TokenUseTests {
    private let fixture: TokenFixture
    private var provider: TokenProvider { fixture.provider }
    private var now: Timestamp { fixture.base.clock.now }

    init() async throws {
        fixture = try TokenFixture()
        try await fixture.register()
    }

    @Test func theListIsTheProcessors() async throws {
        provider.put("t1", .active, at: now)
        provider.put("t2", .unknown, at: now, raw: "hibernating")
        provider.put("t3", .active, of: "card_other", at: now)
        let tokens = try await fixture.tokens()
        #expect(tokens.map(\.sighting.id) == ["t1", "t2"])
        #expect(tokens.map(\.sighting.status) == [.active, .unknown])
        #expect(tokens.map(\.sighting.rawStatus) == ["active", "hibernating"])
        fixture.base.clock.advance(milliseconds: 5000)
        provider.put("t1", .suspended, at: now)
        let later = try await fixture.tokens()
        #expect(later.map(\.id) == tokens.map(\.id) && later.map(\.sighting.status) == [.suspended, .unknown])
        #expect(try await fixture.events() == ["token.active", "token.unknown", "token.suspended"])
    }

    @Test func laterPagesAskNobody() async throws {
        for number in 1...5 { provider.put("t\(number)", .active, at: now) }
        let first = try await fixture.gateway.tokens(TokenQuery(card: TokenFixture.card, page: PageRequest(limit: 2)))
        let cursor = try #require(first.nextCursor)
        let calls = provider.calls.count
        let second = try await fixture.gateway.tokens(
            TokenQuery(card: TokenFixture.card, page: PageRequest(limit: 3, cursor: cursor)))
        #expect((first.elements + second.elements).map(\.sighting.id) == (1...5).map { "t\($0)" })
        #expect(second.nextCursor == nil && provider.calls.count == calls)
        // A cursor is good for its card alone.
        let other = CardKey(program: "rides", id: "card-u")
        try await fixture.register(other, "card_u")
        #expect(
            await fixture.code {
                _ = try await fixture.gateway.tokens(
                    TokenQuery(card: other, page: PageRequest(limit: 2, cursor: cursor)))
            } == .invalidRequest)
    }

    @Test func whatTheServingProcessorDoesNotAnswerIsAProblem() async throws {
        provider.put("t1", .active, at: now)
        _ = try await fixture.tokens()
        provider.fail(with: ProvisioningError(.providerUnavailable, outcome: .unknown))
        #expect(await fixture.code { _ = try await fixture.tokens() } == .providerUnavailable)
    }

    @Test func aConnectionThatIsGoneLeavesWhatWasToldLast() async throws {
        provider.put("t1", .active, at: now)
        let token = try await fixture.token()
        let later = try fixture.another("later", withoutConnection: true)
        let query = TokenQuery(card: TokenFixture.card, page: PageRequest())
        #expect(try await later.tokens(query).elements == [token])
        #expect(try await later.token(token.id, program: "rides") == token)
        #expect(
            await fixture.code { _ = try await later.change(token.id, program: "rides", by: .suspend, actor: .test) }
                == .operationUnsupported)
    }

    @Test func oneTokenIsReadAtItsProcessor() async throws {
        provider.put("t1", .requested, at: now)
        let token = try await fixture.token()
        fixture.base.clock.advance(milliseconds: 5000)
        provider.put("t1", .active, at: now)
        let read = try await fixture.gateway.token(token.id, program: "rides")
        #expect(read.sighting.status == .active && read.observedAt == Timestamp(seconds: now.seconds))
        #expect(provider.calls == ["list card_t", "read t1"])
        for (id, program) in [(token.id, "meals"), ("tok_nobody", "rides")] {
            #expect(
                await fixture.code { _ = try await fixture.gateway.token(id, program: program) } == .tokenNotFound)
        }
        #expect(provider.calls.count == 2, "for a foreign one nothing is asked")
    }

    @Test func aReplacedCardTakesItsTokensAlong() async throws {
        provider.put("t1", .active, at: now)
        let token = try await fixture.token()
        let successor = CardKey(program: "rides", id: "card-u")
        try await fixture.register(successor, "card_u")
        fixture.base.clock.advance(milliseconds: 5000)
        provider.put("t1", .active, of: "card_u", at: now)
        let read = try await fixture.gateway.token(token.id, program: "rides")
        #expect(read.id == token.id && read.card == successor && read.providerCardID == "card_u")
        #expect(try await fixture.tokens().isEmpty)
        #expect(try await fixture.tokens(successor).map(\.id) == [token.id])
        #expect(try await fixture.events() == ["token.active", "token.card_changed"])
        // The successor is nobody's here: the token stays where it is.
        provider.put("t1", .active, of: "card_unbound", at: now)
        let stray = try await fixture.gateway.token(token.id, program: "rides")
        #expect(stray.card == successor && stray.providerCardID == "card_unbound")
    }

    @Test func aTokenThatMovesToAnotherProgramIsGoneHere() async throws {
        provider.put("t1", .active, at: now)
        let token = try await fixture.token()
        try await fixture.register(CardKey(program: "meals", id: "card-m"), "card_m")
        provider.put("t1", .active, of: "card_m", at: now)
        for _ in 0..<2 {
            #expect(
                await fixture.code { _ = try await fixture.gateway.token(token.id, program: "rides") }
                    == .tokenNotFound)
        }
    }

    // MARK: Changes

    @Test(arguments: [
        (TokenStatus.active, TokenChange.suspend, TokenStatus.suspended), (.suspended, .suspend, .suspended),
        (.suspended, .resume, .active), (.active, .delete, .deleted), (.requested, .delete, .deleted),
        (.verificationRequired, .delete, .deleted), (.suspended, .delete, .deleted), (.unknown, .suspend, .suspended),
        (.unknown, .resume, .active),
    ])
    func aChangeIsTheProcessors(_ status: TokenStatus, _ change: TokenChange, _ expected: TokenStatus) async throws {
        provider.put("t1", status, at: now)
        let token = try await fixture.token()
        let changed = try await fixture.gateway.change(token.id, program: "rides", by: change, actor: .test)
        #expect(changed.id == token.id && changed.sighting.status == expected)
        #expect(provider.calls.suffix(1) == ["\(change.rawValue) t1"] && provider.calls.count == 2)
        #expect(try await fixture.gateway.token(token.id, program: "rides").sighting.status == expected)
    }

    @Test(arguments: [
        (TokenStatus.requested, TokenChange.suspend), (.requested, .resume), (.verificationRequired, .resume),
        (.active, .resume),
    ])
    func whatTheStateForbidsIsAskedForFirst(_ status: TokenStatus, _ change: TokenChange) async throws {
        provider.put("t1", status, at: now)
        let token = try await fixture.token()
        func ask() async -> ProblemCode? {
            await fixture.code {
                _ = try await fixture.gateway.change(token.id, program: "rides", by: change, actor: .test)
            }
        }
        #expect(await ask() == .tokenTransitionInvalid)
        #expect(provider.calls.suffix(1) == ["read t1"])
        // The processor knows better than what was told last.
        fixture.base.clock.advance(milliseconds: 5000)
        provider.put("t1", change == .suspend ? .active : .suspended, at: now)
        #expect(await ask() == nil)
    }

    @Test(arguments: [TokenStatus.deleted, .declined], TokenChange.allCases)
    func whatIsFinalIsNotCalledFor(_ status: TokenStatus, _ change: TokenChange) async throws {
        provider.put("t1", status, at: now)
        let token = try await fixture.token()
        let calls = provider.calls
        #expect(
            await fixture.code {
                _ = try await fixture.gateway.change(token.id, program: "rides", by: change, actor: .test)
            }
                == .tokenTransitionInvalid)
        #expect(provider.calls == calls)
    }

    /// Who lifts a suspension lifts only its own.
    @Test func whatTheProcessorAnswersIsTold() async throws {
        provider.put("t1", .suspended, at: now)
        let token = try await fixture.token()
        provider.answer(.suspended)
        let changed = try await fixture.gateway.change(token.id, program: "rides", by: .resume, actor: .test)
        #expect(changed.sighting.status == .suspended)
    }

    @Test func aProcessorWithoutChangesIsNotCalled() async throws {
        let card = CardKey(program: "rides", id: "card-l")
        try await fixture.register(card, "card_l", connection: "list_main")
        provider.put("tl", .active, of: "card_l", at: now)
        #expect(try await fixture.tokens(card).isEmpty, "it has no list")
        _ = try await fixture.base.store.settle(
            TokenReport(
                card: card, provider: "tokens", connection: "list_main", providerCardID: "card_l", source: .webhook,
                tokens: [
                    TokenSighting(
                        id: "tl", status: .active, rawStatus: "active", wallet: .applePay, createdAt: now,
                        precisionMilliseconds: 1)
                ], observedAt: now, receivedAt: now))
        let token = try #require(try await fixture.tokens(card).first)
        #expect(provider.calls.isEmpty)
        for change in TokenChange.allCases {
            #expect(
                await fixture.code {
                    _ = try await fixture.gateway.change(token.id, program: "rides", by: change, actor: .test)
                }
                    == .operationUnsupported)
        }
        #expect(provider.calls.isEmpty)
        #expect(try await fixture.gateway.token(token.id, program: "rides").sighting.status == .active)
        #expect(provider.calls == ["read tl"])
    }

    @Test func aFailureIsTheProcessorsAndSaysWhatToDo() async throws {
        provider.put("t1", .active, at: now)
        let token = try await fixture.token()
        provider.fail(with: ProvisioningError(.providerTimeout, outcome: .unknown))
        do {
            _ = try await fixture.gateway.change(token.id, program: "rides", by: .suspend, actor: .test)
            Issue.record("no failure")
        } catch let problem {
            #expect(problem.code == .providerTimeout && problem.retry == .sameRequest)
        }
        provider.fail(with: ProvisioningError(.tokenNotFound, outcome: .refused))
        #expect(
            await fixture.code {
                _ = try await fixture.gateway.change(token.id, program: "rides", by: .suspend, actor: .test)
            }
                == .tokenNotFound)
    }

    @Test func capabilitiesNameWhatAProviderHas() {
        var directory = fixture.gateway.directory
        directory.providers = [TokenProvider.self, ListingProvider.self]
        let rows = fixture.gateway.serving(directory).capabilities()
        #expect(
            rows.first?.operations == ["provision", "eligibility", "tokens", "token_lifecycle", "webhooks"])
        #expect(rows.last { !$0.operations.isEmpty }?.operations == ["provision", "eligibility", "tokens"])
    }
}
