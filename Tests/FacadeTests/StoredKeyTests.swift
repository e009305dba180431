import Crypto
import Facade
import Gateway
import Provisioning
import SecretMemory
import Storage
import Synchronization
import Testing

@Suite("Keys of the store count beside those of the configuration")
struct StoredKeyTests {
    private func make(
        _ name: String, in fixture: FacadeFixture, scopes: [String] = ["cards:read", "cards:write"]
    ) async throws -> String {
        let new = NewAPIKey(OpenSSLCryptography())
        let key = StoredAPIKey(
            name: name, digest: new.digest, scopes: scopes, programs: ["rides"], at: Timestamp(milliseconds: 1))
        #expect(try await fixture.store.add(key, audit: AuditActor(name: "test")))
        return new.text.reveal()
    }

    @Test func aNewKeyLooksLikeOne() {
        let (one, other) = (NewAPIKey(OpenSSLCryptography()), NewAPIKey(OpenSSLCryptography()))
        #expect(one.text.reveal().wholeMatch(of: /pgk_[A-Za-z0-9_-]{43}/) != nil)
        #expect(one.text.reveal() != other.text.reveal() && one.digest != other.digest && one.digest.count == 32)
    }

    @Test func oneThatWasMadeCountsWithTheNextRequest() async throws {
        try await FacadeFixture.run { fixture in
            let key = try await make("new", in: fixture)
            #expect(await fixture.send("GET", "/v1/cards", key: key).status == 200)
            #expect(fixture.log.last?.key == "new")
            #expect(await fixture.send("GET", "/v1/cards").status == 200, "the configuration's counts as before")
            #expect(await fixture.send("GET", "/v1/tokens/tok_1", key: key).status == 403, "it may do what it is for")
        }
    }

    @Test func oneThatWasMadeMayImportAtOnce() async throws {
        try await FacadeFixture.run { fixture in
            let key = try await make("new", in: fixture)
            #expect(await fixture.stream("/v1/cards/import", [Array("x\n".utf8)], key: key).status == 200)
            let unknown = NewAPIKey(OpenSSLCryptography()).text.reveal()
            let answer = await fixture.stream("/v1/cards/import", [Array("x\n".utf8)], key: unknown)
            #expect(answer.status == 401 && answer.code == "unauthenticated")
        }
    }

    @Test func oneThatWasRevokedIsRefusedAfterTheNextLook() async throws {
        try await FacadeFixture.run { fixture in
            let key = try await make("new", in: fixture)
            #expect(await fixture.send("GET", "/v1/cards", key: key).status == 200)
            _ = try await fixture.store.revokeAPIKey(
                "new", at: Timestamp(milliseconds: 2), audit: AuditActor(name: "test"))
            try await fixture.facade.lookForKeys()
            #expect(await fixture.send("GET", "/v1/cards", key: key).status == 401)
        }
    }

    @Test func aReloadLeavesThemInForce() async throws {
        try await FacadeFixture.run { fixture in
            let key = try await make("new", in: fixture)
            try await fixture.facade.lookForKeys()
            fixture.facade.replace(gateway: fixture.gateway, keys: [], bodyLimit: 4096)
            #expect(await fixture.send("GET", "/v1/cards", key: key).status == 200)
            #expect(await fixture.send("GET", "/v1/cards").status == 401)
            #expect(fixture.facade.hasStoredKeys)
        }
    }

    @Test func aScopeOfALaterVersionAllowsNothing() async throws {
        try await FacadeFixture.run { fixture in
            let key = try await make("new", in: fixture, scopes: ["cards:read", "moons:write"])
            #expect(await fixture.send("GET", "/v1/cards", key: key).status == 200)
        }
    }

    @Test func nobodyElsesKeyIsLookedFor() async throws {
        let store = CountingKeyStore()
        try await FacadeFixture.run(keyStore: store) { fixture in
            #expect(await fixture.send("GET", "/v1/cards").status == 200)
            for key in [
                "pgk_short", "pgk_" + String(repeating: "!", count: 43), "xyz_" + String(repeating: "a", count: 43),
            ] {
                #expect(await fixture.send("GET", "/v1/cards", key: key).status == 401)
            }
            #expect(
                await fixture.send("GET", "/v1/nowhere", key: "pgk_" + String(repeating: "a", count: 43)).status == 404)
            #expect(store.looks == 0)
            #expect(
                await fixture.send("GET", "/v1/cards", key: "pgk_" + String(repeating: "a", count: 43)).status == 401)
            #expect(store.looks == 1)
        }
    }

    /// However many come with keys that nobody knows, one of them looks, and one more for all who came meanwhile.
    @Test func manyUnknownKeysShareALook() async throws {
        let store = CountingKeyStore(isHeld: true)
        try await FacadeFixture.run(keyStore: store) { fixture in
            await withTaskGroup(of: Int.self) { group in
                let ask: @Sendable () async -> Int = {
                    await fixture.send("GET", "/v1/cards", key: NewAPIKey(OpenSSLCryptography()).text.reveal()).status
                }
                group.addTask { await ask() }
                await store.began()
                for _ in 0..<50 { group.addTask { await ask() } }
                while fixture.gateway.metrics.snapshot.inFlight < 51 { await Task.yield() }
                // All fifty wait once the loop has nothing else to do: it answers this only after them.
                _ = await fixture.send("GET", "/healthz", key: nil)
                store.letGo()
                for await status in group { #expect(status == 401) }
            }
            #expect(store.looks == 2)
        }
    }

    @Test func aStoreThatCannotBeReadIsNoRefusalOfTheKey() async throws {
        try await FacadeFixture.run(keyStore: CountingKeyStore(isBroken: true)) { fixture in
            let answer = await fixture.send("GET", "/v1/cards", key: "pgk_" + String(repeating: "a", count: 43))
            #expect(answer.status == 503 && answer.code == "overloaded")
            #expect(await fixture.send("GET", "/v1/cards").status == 200, "known keys need no store")
        }
    }
}

/// Keeps no key, and counts how often it is asked.
private final class CountingKeyStore: APIKeyStore {
    private struct State {
        var looks = 0
        var isHeld: Bool
        var held: [CheckedContinuation<Void, Never>] = []
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let isBroken: Bool

    init(isHeld: Bool = false, isBroken: Bool = false) {
        state = Mutex(State(isHeld: isHeld))
        self.isBroken = isBroken
    }

    var looks: Int { state.withLock { $0.looks } }

    /// Returns once somebody looks.
    func began() async {
        await withCheckedContinuation { continuation in
            let hasBegun = state.withLock { state in
                if state.looks > 0 { return true }
                state.watcher = continuation
                return false
            }
            if hasBegun { continuation.resume() }
        }
    }

    /// Lets the looks end, those to come too.
    func letGo() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for look in held { look.resume() }
    }

    func apiKeys(changedSince generation: Int64?) async throws(StoreFailure) -> StoredAPIKeys? {
        if isBroken { throw .unavailable("it is away") }
        await withCheckedContinuation { continuation in
            let (watcher, isHeld) = state.withLock { state in
                state.looks += 1
                if state.isHeld { state.held.append(continuation) }
                defer { state.watcher = nil }
                return (state.watcher, state.isHeld)
            }
            watcher?.resume()
            if !isHeld { continuation.resume() }
        }
        return generation == nil ? StoredAPIKeys(generation: 0, keys: []) : nil
    }

    func add(_ key: StoredAPIKey, audit: AuditActor) async throws(StoreFailure) -> Bool { false }

    func revokeAPIKey(_ idOrName: String, at now: Timestamp, audit: AuditActor) async throws(StoreFailure)
        -> StoredAPIKey?
    { nil }
}
