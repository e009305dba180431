import Crypto
import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import Storage
import Testing

@testable import Facade

/// The console's sessions, and who may do what with them.
struct ConsoleTests {
    private static let admin = "pgk_admin-in-rides-00000000000000000000"
    private static let looker = "pgk_looker-in-both-00000000000000000000"
    private static let host = [
        (name: "host", value: "127.0.0.1:8081"), (name: "origin", value: "http://127.0.0.1:8081"),
    ]

    /// A session as its page has it.
    private struct Session {
        let cookie: String
        let token: String
        let answer: Answer

        var reading: [(name: String, value: String)] { [(name: "cookie", value: cookie)] + ConsoleTests.host }
        var changing: [(name: String, value: String)] { reading + [(name: "passgate-csrf", value: token)] }
    }

    private static var keys: [APIKey] {
        [
            FacadeFixture.key(admin, named: "admin", programs: ["rides"]),
            FacadeFixture.key(
                looker, named: "looker", scopes: [.admin, .provisioningRead, .cardsRead, .eventsRead], programs: nil),
            FacadeFixture.key(
                "pgk_no-admin-00000000000000000000000000", named: "other", scopes: [.cardsRead], programs: nil),
        ]
    }

    private func signIn(_ fixture: FacadeFixture, key: String = admin, from address: String = "127.0.0.1") async
        -> Answer
    {
        await fixture.admin(
            "POST", "/console/api/session",
            headers: Self.host + [(name: "content-type", value: "application/json")], body: #"{"key":"\#(key)"}"#,
            from: address)
    }

    private func session(_ fixture: FacadeFixture, key: String = admin) async throws -> Session {
        let answer = await signIn(fixture, key: key)
        let cookie = try #require(answer.header("Set-Cookie")?.split(separator: ";").first.map(String.init))
        return Session(cookie: cookie, token: try #require(answer.json?["csrf"]?.string), answer: answer)
    }

    @Test func anAdminsKeyOpensASealedSession() async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            let session = try await session(fixture)
            #expect(session.answer.status == 200 && session.answer.json?["key"]?.string == "admin")
            let programs = session.answer.json?["programs"]?.elements?.compactMap { $0["name"]?.string }
            #expect(programs == ["rides"])
            let cookie = try #require(session.answer.header("Set-Cookie"))
            #expect(cookie.hasPrefix("__Host-passgate="))
            #expect(cookie.hasSuffix("; Path=/; Max-Age=1800; HttpOnly; Secure; SameSite=Strict"))
            #expect(!cookie.contains("admin") && !session.answer.text.contains("pgk_"))
            let again = await fixture.admin("GET", "/console/api/session", headers: session.reading)
            #expect(again.status == 200 && again.json?["csrf"]?.string == session.token)
        }
    }

    @Test(arguments: [
        ("pgk_nobody-knows-this-one-000000000000", 401, "unauthenticated"),
        ("pgk_no-admin-00000000000000000000000000", 403, "permission_denied"), ("", 400, "invalid_request"),
    ])
    func otherKeysOpenNothing(key: String, status: Int, code: String) async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            let answer = await signIn(fixture, key: key)
            #expect(answer.status == status && answer.code == code && answer.header("Set-Cookie") == nil)
            #expect(key.isEmpty || !answer.text.contains(key))
        }
    }

    @Test func aKeyThatWasMadeJustNowOpensASession() async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            let new = NewAPIKey(OpenSSLCryptography())
            let key = StoredAPIKey(
                name: "night", digest: new.digest, scopes: ["admin"], programs: ["rides"],
                at: Timestamp(milliseconds: 1))
            let isAdded = try await fixture.store.add(key, audit: AuditActor(name: "test"))
            #expect(isAdded)
            let answer = await signIn(fixture, key: new.text.reveal())
            #expect(answer.status == 200 && answer.json?["key"]?.string == "night")
            let unknown = await signIn(fixture, key: NewAPIKey(OpenSSLCryptography()).text.reveal())
            #expect(unknown.status == 401)
        }
    }

    @Test func signingInIsBoundedForEachAddress() async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            for _ in 0..<10 { #expect(await signIn(fixture, key: "pgk_wrong-000000", from: "192.0.2.1").status == 401) }
            let refused = await signIn(fixture, from: "192.0.2.1")
            #expect(refused.status == 429 && refused.code == "rate_limited" && refused.header("Retry-After") != nil)
            #expect(await signIn(fixture, from: "192.0.2.2").status == 200)
        }
    }

    @Test func signInIsBoundedInAll() {
        let limit = SignInLimit()
        let now = ContinuousClock.now
        for number in 0..<100 {
            #expect(limit.wait(for: "192.0.2.\(number)", at: now) == nil)
            limit.countFailure(of: "192.0.2.\(number)", at: now)
        }
        #expect(limit.wait(for: "198.51.100.1", at: now) == .seconds(60))
        #expect(limit.wait(for: "198.51.100.1", at: now + .seconds(60)) == nil)
    }

    @Test func nothingIsToldWithoutASession() async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            let session = try await session(fixture)
            let altered = String(session.cookie.dropLast(4)) + "AAAA"
            for cookie in [nil, "__Host-passgate=", "__Host-passgate=x", altered, "passgate=\(session.cookie)"] {
                let fields = Self.host + (cookie.map { [(name: "cookie", value: $0)] } ?? [])
                for path in ["session", "overview", "connections", "provisionings", "migrations", "event_destinations"]
                {
                    let answer = await fixture.admin("GET", "/console/api/\(path)", headers: fields)
                    #expect(answer.status == 401 && answer.code == "unauthenticated", "\(path) \(cookie ?? "none")")
                }
            }
            // Two cookies of the name: one of them may be somebody else's.
            let two = [(name: "cookie", value: "\(session.cookie); \(session.cookie)")]
            #expect(await fixture.admin("GET", "/console/api/session", headers: Self.host + two).status == 401)
            // The API's own keys are no session, and the session is none of the API's keys.
            let bearer = [(name: "authorization", value: "Bearer \(Self.admin)")]
            #expect(await fixture.admin("GET", "/console/api/overview", headers: Self.host + bearer).status == 401)
            #expect(await fixture.send("GET", "/v1/cards", key: nil, headers: session.reading).status == 401)
        }
    }

    @Test func aSessionEndsByTimeBySigningOutAndWithItsKey() async throws {
        let fresh = ConsoleSession(of: Self.keys[0], at: FixedClock().now, OpenSSLCryptography())
        #expect(fresh.expiresAt.milliseconds - FixedClock().now.milliseconds == 1_800_000)
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            let ended = try await session(fixture)
            let out = await fixture.admin("DELETE", "/console/api/session", headers: ended.changing)
            #expect(out.status == 204 && out.header("Set-Cookie")?.contains("Max-Age=0") == true)
            #expect(await fixture.admin("GET", "/console/api/session", headers: ended.reading).status == 401)

            let changed = try await session(fixture)
            let fewer = FacadeFixture.key(Self.admin, named: "admin", scopes: [.admin], programs: ["rides"])
            fixture.facade.replace(gateway: fixture.gateway, keys: [fewer], bodyLimit: 4096)
            #expect(await fixture.admin("GET", "/console/api/session", headers: changed.reading).status == 401)
            let narrow = try await session(fixture)
            fixture.facade.replace(gateway: fixture.gateway, keys: [], bodyLimit: 4096)
            #expect(await fixture.admin("GET", "/console/api/session", headers: narrow.reading).status == 401)
        }
    }

    @Test func anOldSessionIsNone() async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            let now = FixedClock().now
            for (age, status) in [(1_799_999, 200), (1_800_000, 401)] as [(Int64, Int)] {
                let session = ConsoleSession(
                    of: Self.keys[0], at: now.adding(milliseconds: -age), fixture.cryptography)
                let cookie = "\(ConsoleSession.cookie)=\(try session.sealed(with: fixture.ring))"
                let fields = Self.host + [(name: "cookie", value: cookie)]
                #expect(await fixture.admin("GET", "/console/api/session", headers: fields).status == status)
            }
        }
    }

    @Test func aChangeNeedsTheTokenAndTheOrigin() async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            try await fixture.open(
                StoredMigration(
                    id: "mig_1", program: "rides", from: "main", to: "token", mode: .live,
                    cohort: .percent(basisPoints: 1000), at: FixedClock().now))
            let session = try await session(fixture)
            let cookie = [(name: "cookie", value: session.cookie)]
            let token = [(name: "passgate-csrf", value: session.token)]
            let host = [(name: "host", value: "127.0.0.1:8081")]
            let type = [(name: "content-type", value: "application/json")]
            let own = [(name: "origin", value: "http://127.0.0.1:8081")]
            let refused: [[(name: String, value: String)]] = [
                cookie + host + own, cookie + host + own + [(name: "passgate-csrf", value: "x")], cookie + host + token,
                cookie + host + token + [(name: "origin", value: "http://evil.example")],
                cookie + host + token + [(name: "origin", value: "null")],
                cookie + host + token + [(name: "origin", value: "http://127.0.0.1:8082")], cookie + own + token,
                cookie + host + own + token + [(name: "sec-fetch-site", value: "cross-site")],
                cookie + host + own + own + token,
            ]
            for fields in refused {
                let answer = await fixture.admin(
                    "POST", "/console/api/migrations/mig_1/pause", headers: fields + type, body: "{}")
                #expect(answer.status == 403 && answer.code == "permission_denied", "\(fields)")
            }
            let read = await fixture.admin("GET", "/console/api/migrations/mig_1", headers: session.reading)
            #expect(read.json?["status"]?.string == "open")
            let https = cookie + host + token + type + [(name: "origin", value: "https://127.0.0.1:8081")]
            let answer = await fixture.admin("POST", "/console/api/migrations/mig_1/pause", headers: https, body: "{}")
            #expect(answer.status == 200 && answer.json?["status"]?.string == "paused")
            let line = fixture.log.last
            #expect(line?.key == "admin" && line?.route == "/console/api/migrations/{id}/pause")
        }
    }

    @Test func adminImpliesNoOtherScope() async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            try await fixture.open(
                StoredMigration(
                    id: "mig_1", program: "rides", from: "main", to: "token", mode: .live,
                    cohort: .percent(basisPoints: 1000), at: FixedClock().now))
            let session = try await session(fixture, key: Self.looker)
            let rides = [(name: "passgate-program", value: "rides")]
            let type = [(name: "content-type", value: "application/json")]
            #expect(
                await fixture.admin("GET", "/console/api/migrations/mig_1", headers: session.reading + rides).status
                    == 200)
            for path in [
                "migrations/mig_1/advance", "migrations/mig_1/pause", "migrations/mig_1/resume",
                "migrations/mig_1/rollback", "event_destinations/dest_1/replay",
            ] {
                let answer = await fixture.admin(
                    "POST", "/console/api/\(path)", headers: session.changing + rides + type, body: "{}")
                #expect(answer.status == 403 && answer.text.contains("scope"), "\(path)")
            }
            fixture.facade.replace(
                gateway: fixture.gateway,
                keys: [FacadeFixture.key(Self.admin, named: "bare", scopes: [.admin], programs: ["rides"])],
                bodyLimit: 4096)
            let bare = try await self.session(fixture)
            for (path, status) in [
                ("overview", 403), ("provisionings", 403), ("migrations", 403), ("event_destinations", 403),
                ("connections", 200),
            ] {
                #expect(await fixture.admin("GET", "/console/api/\(path)", headers: bare.reading).status == status)
            }
        }
    }

    @Test func aKeyConfinedToAProgramSeesNoOther() async throws {
        try await FacadeFixture.run(keys: Self.keys) { fixture in
            let confined = try await session(fixture)
            let travel = [(name: "passgate-program", value: "travel")]
            for path in ["overview", "connections", "provisionings"] {
                let answer = await fixture.admin("GET", "/console/api/\(path)", headers: confined.reading + travel)
                #expect(answer.status == 404 && answer.code == "program_not_found")
            }
            let both = try await session(fixture, key: Self.looker)
            #expect(await fixture.admin("GET", "/console/api/overview", headers: both.reading).status == 400)
            #expect(await fixture.admin("GET", "/console/api/overview", headers: both.reading + travel).status == 200)
        }
    }
}
