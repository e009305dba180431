import Crypto
import EventLoop
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Synchronization
import Testing

@testable import Gateway

/// A gateway with connections to processors that know tokens, beside the scripted one that knows none.
struct TokenFixture: Sendable {
    let base: GatewayFixture
    let provider = TokenProvider()
    let gateway: Gateway

    static let card = CardKey(program: "rides", id: "card-t")

    init(instance: String = "test", inFlight: Int = 256) throws {
        base = try GatewayFixture()
        gateway = try Self.gateway(over: base, provider, instance: instance, inFlight: inFlight)
    }

    /// Another process on the same store.
    func another(_ instance: String, withoutConnection: Bool = false) throws -> Gateway {
        try Self.gateway(over: base, provider, instance: instance, withoutConnection: withoutConnection)
    }

    private static func gateway(
        over base: GatewayFixture, _ provider: TokenProvider, instance: String, inFlight: Int = 256,
        withoutConnection: Bool = false
    ) throws -> Gateway {
        var directory = base.gateway.directory
        if !withoutConnection {
            directory.connections["token_main"] = Connection(
                name: "token_main", environment: .test, descriptor: TokenProvider.descriptor, provider: provider,
                inFlight: inFlight)
        }
        directory.connections["list_main"] = Connection(
            name: "list_main", environment: .test, descriptor: ListingProvider.descriptor,
            provider: ListingProvider(tokens: provider))
        directory.programs["rides"]?.connections += ["token_main", "list_main"]
        directory.programs["meals"] = Program(
            name: "meals", connection: "token_main", connections: ["token_main"], displayName: "Meals",
            wallets: [.applePay])
        return Gateway(
            directory: directory, store: base.store,
            keys: try KeyRing([SecretBytes(utf8: "an-invented-root-secret-of-32-bytes!")]), clock: base.clock,
            random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }, instance: instance,
            report: { Issue.record("the store failed: \($0.failure)") })
    }

    /// Registers a card of a processor that knows tokens.
    func register(
        _ card: CardKey = card, _ providerCardID: String = "card_t", connection: String = "token_main"
    ) async throws {
        _ = try await gateway.putCard(
            CardDraft(
                key: card,
                binding: CardBinding(
                    connection: connection, providerCardID: providerCardID, last4: "4242", network: .visa),
                cardholderID: "holder-1", cardholderName: "Ada Example", title: nil, artURL: nil, metadata: nil,
                at: base.clock.now), actor: AuditActor(name: "test"))
    }

    func tokens(_ card: CardKey = card) async throws -> [StoredToken] {
        try await gateway.tokens(TokenQuery(card: card, page: PageRequest(limit: 100))).elements
    }

    /// The card's only token.
    func token() async throws -> StoredToken { try #require(try await tokens().first) }

    func events(_ program: String = "rides") async throws -> [String] {
        try await gateway.events(EventQuery(program: program, page: PageRequest(limit: 100))).elements.map(\.type)
    }

    /// Takes a delivery in.
    func receive(_ text: String, signed: String = "yes", by other: Gateway? = nil) async throws {
        try await (other ?? gateway).receive(
            WebhookDelivery(
                headers: [("signature", signed)], body: SecretBytes(utf8: text), receivedAt: base.clock.now),
            at: "token_main")
    }

    /// The code of the problem that work ends in; nil where it succeeds.
    func code(_ work: () async throws -> Void) async -> ProblemCode? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? Problem)?.code
        }
    }
}

/// A processor with tokens, which does what a test says. Its webhooks are lines of `key token status seconds card`.
final class TokenProvider: TokenLifecycle, WebhookSource {
    static let descriptor = ProviderDescriptor(
        id: "tokens", displayName: "Tokens",
        cardIDPattern: .prefixed(["card_"], .lowercaseAlphanumeric, length: 1...32),
        tokenFeed: .list, wallets: ScriptedProvider.descriptor.wallets)
    static let tokenIDPattern = IdentifierPattern.prefixed(["t"], .alphanumeric, length: 1...32)

    private struct State {
        var tokens: [TokenSighting] = []
        var failure: ProvisioningError?
        var answer: TokenStatus?
        var calls: [String] = []
        var held: [String: AsyncStream<Void>] = [:]
    }
    private let state = Mutex(State())

    /// What it was asked, in order.
    var calls: [String] { state.withLock { $0.calls } }

    /// Puts a token in the place of the one with its id.
    func put(
        _ id: String, _ status: TokenStatus, of card: String = "card_t", at moment: Timestamp, raw: String? = nil
    ) {
        let token = TokenSighting(
            id: id, status: status, rawStatus: raw ?? status.rawValue, wallet: .applePay,
            createdAt: Timestamp(seconds: moment.seconds), precisionMilliseconds: 1000, providerCardID: card)
        state.withLock { state in
            state.tokens.removeAll { $0.id == id }
            state.tokens.append(token)
        }
    }

    /// Makes every call fail; nil makes them succeed.
    func fail(with error: ProvisioningError?) { state.withLock { $0.failure = error } }

    /// Makes every change come to that state, whatever is asked.
    func answer(_ status: TokenStatus?) { state.withLock { $0.answer = status } }

    /// Lets a notice wait until what is returned is finished.
    func hold(_ key: String) -> AsyncStream<Void>.Continuation {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        state.withLock { $0.held[key] = stream }
        return continuation
    }

    func tokens(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        try record("list \(card.providerCardID)")
        return state.withLock { $0.tokens.filter { $0.providerCardID == card.providerCardID } }
    }

    func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
    {
        try record("read \(id)")
        guard let token = state.withLock({ $0.tokens.first { $0.id == id } }) else {
            throw ProvisioningError(.tokenNotFound, outcome: .refused)
        }
        return token
    }

    func change(
        _ token: String, of card: CardBinding, by change: TokenChange, idempotencyKey: String,
        deadline: ContinuousClock.Instant
    ) async throws(ProvisioningError) -> TokenSighting {
        try record("\(change.rawValue) \(token)")
        let changed = state.withLock { state -> TokenSighting? in
            guard let index = state.tokens.firstIndex(where: { $0.id == token }) else { return nil }
            let asked: [TokenChange: TokenStatus] = [.suspend: .suspended, .resume: .active, .delete: .deleted]
            state.tokens[index].status = state.answer ?? asked[change] ?? .unknown
            state.tokens[index].rawStatus = state.tokens[index].status.rawValue
            return state.tokens[index]
        }
        guard let changed else { throw ProvisioningError(.tokenNotFound, outcome: .refused) }
        return changed
    }

    private func record(_ call: String) throws(ProvisioningError) {
        let failure = state.withLock { state in
            state.calls.append(call)
            return state.failure
        }
        if let failure { throw failure }
    }

    func verify(_ delivery: WebhookDelivery) throws(WebhookRefusal) -> WebhookReceipt {
        guard delivery.header("signature")?.hasPrefix("yes") == true else { throw .noMatch }
        let words = Self.words(delivery.body)
        guard words.count == 5 else {
            return WebhookReceipt(key: words.first ?? "", word: nil, use: words.first == "thin" ? .ignore : .keep)
        }
        return WebhookReceipt(key: words[0], word: "token", use: .read)
    }

    /// One whose key begins with `told` takes no call.
    func outline(of body: SecretBytes) -> WebhookOutline {
        let words = Self.words(body)
        return WebhookOutline(
            subject: words.count == 5 ? words[1] : nil, takesCall: words.first?.hasPrefix("told") != true)
    }

    func notice(in body: SecretBytes, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> WebhookNotice
    {
        let words = Self.words(body)
        if let held = state.withLock({ $0.held.removeValue(forKey: words.first ?? "") }) { for await _ in held {} }
        try record("notice")
        guard words.count == 5, let seconds = Int64(words[3]) else { return WebhookNotice() }
        let moment = Timestamp(seconds: seconds)
        let token = TokenSighting(
            id: words[1], status: TokenStatus(rawValue: words[2]) ?? .unknown, rawStatus: words[2], wallet: .applePay,
            createdAt: moment, precisionMilliseconds: 1000)
        return WebhookNotice(tokens: [token], providerCardID: words[4], occurredAt: moment)
    }

    private static func words(_ body: SecretBytes) -> [String] {
        (body.revealText() ?? "").split(separator: " ").map(String.init)
    }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        throw ProvisioningError(.providerUnavailable, outcome: .notSent)
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        Eligibility(eligible: true)
    }
}

/// A processor that reads tokens, and neither lists nor changes them.
struct ListingProvider: TokenDirectory {
    static let descriptor = TokenProvider.descriptor
    static let tokenIDPattern = TokenProvider.tokenIDPattern
    static let listsTokens = false
    let tokens: TokenProvider

    func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
    {
        try await tokens.token(id, of: card, deadline: deadline)
    }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        try await tokens.provision(request)
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        try await tokens.eligibility(of: card, wallet: wallet, deadline: deadline)
    }
}
