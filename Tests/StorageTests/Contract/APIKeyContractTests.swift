import Provisioning
import Storage
import Testing

@Suite("Every store keeps API keys as promised")
struct APIKeyContractTests {
    private static func key(
        _ name: String, programs: [String]? = ["rides"], digest: UInt8 = 1, at: Timestamp = Moment.start
    )
        -> StoredAPIKey
    {
        StoredAPIKey(
            name: name, digest: [UInt8](repeating: digest, count: 32), scopes: ["cards:read", "admin"],
            programs: programs, at: at)
    }

    @Test(arguments: StoreKind.all)
    func aKeyIsFoundByEveryInstanceAsItWasMade(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let one = try await test.open()
            let other = try await test.open()
            let keys = [Self.key("a", programs: nil), Self.key("b", programs: ["rides", "meals"], digest: 2)]
            for key in keys { #expect(try await one.add(key, audit: .backend)) }
            let found = try #require(try await other.apiKeys(changedSince: nil))
            #expect(found.keys == keys && found.inForce == keys)
            #expect(Set(found.keys.map(\.id)).count == 2 && found.keys.allSatisfy { $0.id.hasPrefix("key_") })
            #expect(try await other.apiKeys(changedSince: found.generation) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func aNameIsFreeAgainOnceItsKeyIsRevoked(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            let first = Self.key("a")
            #expect(try await store.add(first, audit: .backend))
            let before = try #require(try await store.apiKeys(changedSince: nil))
            #expect(try await !store.add(Self.key("a", digest: 2), audit: .backend))
            #expect(try await store.apiKeys(changedSince: before.generation) == nil, "what was refused changed nothing")
            let revoked = try #require(try await store.revokeAPIKey("a", at: Moment.after(5), audit: .backend))
            #expect(revoked.id == first.id && revoked.revokedAt == Moment.after(5))
            let after = try #require(try await store.apiKeys(changedSince: before.generation))
            #expect(after.keys == [revoked] && after.inForce.isEmpty)
            #expect(try await store.revokeAPIKey("a", at: Moment.after(6), audit: .backend) == nil)
            let second = Self.key("a", digest: 2)
            #expect(try await store.add(second, audit: .backend))
            #expect(try await store.apiKeys(changedSince: after.generation)?.inForce == [second])
        }
    }

    @Test(arguments: StoreKind.all)
    func aKeyIsRevokedByItsIdToo(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            let keys = [Self.key("a"), Self.key("b", digest: 2)]
            for key in keys { _ = try await store.add(key, audit: .backend) }
            #expect(try await store.revokeAPIKey("c", at: Moment.start, audit: .backend) == nil)
            #expect(try await store.revokeAPIKey(keys[0].id, at: Moment.start, audit: .backend)?.name == "a")
            #expect(try await store.revokeAPIKey(keys[0].id, at: Moment.start, audit: .backend) == nil)
            #expect(try await store.apiKeys(changedSince: nil)?.inForce == [keys[1]])
        }
    }

    /// The trail of each program that a key is for tells of it; of one for all programs, a trail of its own.
    @Test(arguments: StoreKind.all)
    func theTrailsTellOfItWithoutItsDigest(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.add(Self.key("a", programs: ["meals", "rides"]), audit: AuditActor(name: "maker"))
            _ = try await store.add(Self.key("b", programs: nil, digest: 2), audit: .backend)
            _ = try await store.revokeAPIKey("a", at: Moment.after(1), audit: AuditActor(name: "ender"))
            for (trail, actions) in [
                ("meals", ["api_key.created", "api_key.revoked"]), ("rides", ["api_key.created", "api_key.revoked"]),
                (AuditHead.allPrograms, ["api_key.created"]),
            ] {
                let entries = try await store.auditEntries(program: trail, after: 0, limit: 9)
                #expect(entries.map(\.action) == actions)
                #expect(try await store.verify(program: trail, with: .sample).isWhole)
            }
            let entries = try await store.auditEntries(program: "rides", after: 0, limit: 9)
            #expect(entries.map(\.actor) == ["maker", "ender"])
            #expect(entries[0].after.map(\.name) == ["name", "scopes", "programs"] && entries[0].before.isEmpty)
            #expect(entries[0].after.map(\.value) == ["a", "cards:read admin", "meals rides"])
            #expect(entries[1].before == entries[0].after && entries[1].after.isEmpty)
            #expect(try await store.auditHeads().map(\.program) == ["*", "meals", "rides"])
        }
    }
}
