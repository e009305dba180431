import Facade
import HTTPServer
import ProviderKit
import Provisioning
import Testing

@Suite struct MigrationRouteTests {
    private static let path = "/v1/migrations"

    /// The body of a live migration from `main` to `sdk`, with some members changed, added or, with nil, left out.
    private static func body(_ changes: [(String, String?)] = []) -> String {
        var members: [(String, String)] = [
            ("program", #""rides""#), ("from", #""main""#), ("to", #""sdk""#), ("mode", #""live""#),
            ("cohort", #"{"percent":12.5}"#), ("allow_stranded", "true"),
        ]
        for (name, value) in changes {
            members.removeAll { $0.0 == name }
            if let value { members.append((name, value)) }
        }
        return "{" + members.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",") + "}"
    }

    private func open(_ fixture: FacadeFixture, _ changes: [(String, String?)] = []) async -> Answer {
        await fixture.send("POST", Self.path, body: Self.body(changes))
    }

    /// A card at `main` with a standby binding at `sdk`.
    private func makeCard(_ fixture: FacadeFixture) async {
        _ = await fixture.makeCard("c1")
        let bound = await fixture.send(
            "PUT", "/v1/cards/c1/bindings/sdk",
            body: #"{"provider_card_id":"card_sdk1","last4":"1881","network":"visa","state":"standby"}"#)
        #expect(bound.status < 300)
    }

    @Test func aMigrationIsOpenedWithItsCostAndReadAgain() async throws {
        try await FacadeFixture.run { fixture in
            await makeCard(fixture)
            let opened = await open(
                fixture, [("guard", #"{"min_attempts":200,"margin":0.05,"action":"rollback"}"#)])
            #expect(opened.status == 201)
            let id = try #require(opened.json?["id"]?.string)
            #expect(id.hasPrefix("mig_"))
            let time = #""2026-01-31T10:20:30.456Z""#
            let whole = #"""
                {"object":"migration","id":"\#(id)","program":"rides","from":"main","to":"sdk","mode":"live",\#
                "cohort":{"percent":12.5},"guard":{"min_attempts":200,"margin":0.05,"action":"rollback"},\#
                "allow_stranded":true,"status":"open","why":null,"created_at":\#(time),"updated_at":\#(time),\#
                "advanced_at":\#(time),"ended_at":null,"settled_at":null}
                """#
            let preflight = #"""
                ,"preflight":{"cards":1,"without_standby_binding":0,"wallets_lost":["google_pay"],"channels_lost":[],\#
                "handoffs_changed":[{"wallet":"apple_pay","channel":"in_app","from":"apple_pay_pass",\#
                "to":"d1_authorization"}],"connections":[\#
                {"connection":"main","provider":"scripted","health":"unknown","credentials":"not_known"},\#
                {"connection":"sdk","provider":"sdk","health":"unknown","credentials":"not_known"}]}}
                """#
            #expect(opened.text == whole.dropLast() + preflight)
            #expect(await fixture.send("GET", "\(Self.path)/\(id)").text == whole)
            let list = await fixture.send("GET", "\(Self.path)?status=open")
            #expect(list.text == #"{"object":"list","data":[\#(whole)],"next_cursor":null}"#)
            #expect(await fixture.send("GET", "\(Self.path)?status=paused").json?["data"]?.elements?.isEmpty == true)
        }
    }

    @Test func aCardTellsWhoServesIt() async throws {
        try await FacadeFixture.run { fixture in
            await makeCard(fixture)
            #expect(await fixture.send("GET", "/v1/cards/c1").json?["serving"]?.string == "main")
            let opened = await open(fixture, [("cohort", #"{"cards":["c1"]}"#)])
            #expect(opened.json?["cohort"]?["card_count"]?.integer == 1)
            let id = try #require(opened.json?["id"]?.string)
            #expect(await fixture.send("GET", "/v1/cards/c1").json?["serving"]?.string == "sdk")
            let list = await fixture.send("GET", "/v1/cards").json?["data"]?.elements ?? []
            #expect(list.map { $0["serving"]?.string } == ["sdk"])
            let back = await fixture.send("POST", "\(Self.path)/\(id)/rollback")
            #expect(back.status == 200 && back.json?["status"]?.string == "rolled_back")
            #expect(await fixture.send("GET", "/v1/cards/c1").json?["serving"]?.string == "main")
        }
    }

    @Test func aKeyTakesAStepOnce() async throws {
        try await FacadeFixture.run { fixture in
            let headers = [(name: "idempotency-key", value: "one")]
            let body = Self.body()
            let first = await fixture.send("POST", Self.path, headers: headers, body: body)
            let second = await fixture.send("POST", Self.path, headers: headers, body: body)
            #expect(first.status == 201 && second.status == 201 && first.text == second.text)
            let id = try #require(first.json?["id"]?.string)
            let path = "\(Self.path)/\(id)/advance"
            let grown = await fixture.send("POST", path, headers: headers, body: #"{"cohort":{"percent":100}}"#)
            #expect(grown.status == 200 && grown.json?["cohort"]?["percent"]?.integer == 100)
            let other = await fixture.send("POST", path, headers: headers, body: #"{"cohort":{"percent":99}}"#)
            #expect(other.code == "idempotency_key_reused")
            for _ in 0..<2 {
                let done = await fixture.send("POST", "\(Self.path)/\(id)/complete", headers: headers)
                #expect(done.status == 200 && done.json?["status"]?.string == "completed")
            }
            #expect(await fixture.send("POST", "\(Self.path)/\(id)/complete").code == "migration_conflict")
            let events = await fixture.send("GET", "/v1/events?type=migration.*").json?["data"]?.elements ?? []
            #expect(
                events.map { $0["type"]?.string } == ["created", "advanced", "completed"].map { "migration.\($0)" })
            #expect(events.allSatisfy { $0["card"]?.isNull == true && $0["program"]?.string == "rides" })
            #expect(events.map { $0["sequence"]?.integer } == [1, 2, 3])
            #expect(events.allSatisfy { $0["data"]?["id"]?.string == id })
        }
    }

    @Test(
        arguments: [
            ([("program", nil)], "/program"), ([("program", #""travel""#)], "/program"), ([("from", nil)], "/from"),
            ([("to", "7")], "/to"), ([("mode", #""half""#)], "/mode"), ([("cohort", nil)], "/cohort"),
            ([("cohort", "{}")], "/cohort"), ([("cohort", #"{"percent":1,"cards":["c1"]}"#)], "/cohort"),
            ([("cohort", #"{"percent":-1}"#)], "/cohort/percent"),
            ([("cohort", #"{"percent":100.01}"#)], "/cohort/percent"),
            ([("cohort", #"{"percent":12.345}"#)], "/cohort/percent"),
            ([("cohort", #"{"percent":1e-9}"#)], "/cohort/percent"),
            ([("cohort", #"{"percent":"50"}"#)], "/cohort/percent"), ([("cohort", #"{"cards":[]}"#)], "/cohort/cards"),
            ([("cohort", #"{"cards":["c1","a b"]}"#)], "/cohort/cards/1"),
            ([("cohort", #"{"card":["c1"]}"#)], "/cohort/card"),
            ([("guard", #"{"min_attempts":0,"margin":0.1,"action":"pause"}"#)], "/guard/min_attempts"),
            ([("guard", #"{"min_attempts":1.5,"margin":0.1,"action":"pause"}"#)], "/guard/min_attempts"),
            ([("guard", #"{"min_attempts":1,"margin":0,"action":"pause"}"#)], "/guard/margin"),
            ([("guard", #"{"min_attempts":1,"margin":1,"action":"pause"}"#)], "/guard/margin"),
            ([("guard", #"{"min_attempts":1,"margin":0.1,"action":"stop"}"#)], "/guard/action"),
            ([("guard", #"{"min_attempts":1,"margin":0.1}"#)], "/guard/action"),
            ([("allow_stranded", "1")], "/allow_stranded"), ([("percent", "5")], "/percent"),
            ([("to", #""main""#)], "/to"), ([("to", #""elsewhere""#)], "/to"), ([("from", #""elsewhere""#)], "/from"),
        ] as [([(String, String?)], String)])
    func whatIsWrongIsNamed(_ changes: [(String, String?)], _ pointer: String) async throws {
        try await FacadeFixture.run { fixture in
            let answer = await open(fixture, changes)
            let pointers = answer.pointers.filter { $0 == pointer }
            #expect(answer.status == 400 && answer.code == "invalid_request" && !pointers.isEmpty, "\(answer.text)")
        }
    }

    @Test func whatStrandsSomebodyIsRefused() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await open(fixture, [("allow_stranded", nil)])
            #expect(answer.status == 409 && answer.code == "migration_would_strand_cards")
            let codes = answer.json?["errors"]?.elements?.compactMap { $0["code"]?.string }
            #expect(codes == ["without_standby_binding", "wallet_lost", "handoff_changed"])
            #expect(answer.json?["detail"]?.string?.contains("allow_stranded") == true)
        }
    }

    @Test func anotherProgramsMigrationIsLikeNone() async throws {
        try await FacadeFixture.run { fixture in
            let id = try #require(await open(fixture).json?["id"]?.string)
            let headers = [(name: "passgate-program", value: "travel")]
            for path in ["", "/advance", "/pause", "/resume", "/rollback", "/complete"] {
                let method = path.isEmpty ? "GET" : "POST"
                let body = path == "/advance" ? #"{"cohort":{"percent":100}}"# : nil
                for name in [id, "mig_unknown", "no%20id"] {
                    let answer = await fixture.send(
                        method, "\(Self.path)/\(name)\(path)", key: FacadeFixture.bothPrograms, headers: headers,
                        body: body)
                    #expect(answer.status == 404 && answer.code == "migration_not_found", "\(path) \(name)")
                }
            }
        }
    }

    @Test func aKeyNeedsTheScopes() async throws {
        let reader = "pgk_reads-cards-0000000000000000000000"
        let keys = [
            FacadeFixture.key(reader, named: "reader", scopes: [.cardsRead], programs: ["rides"]),
            FacadeFixture.key("pgk_switches", named: "switcher", scopes: [.switchingWrite], programs: ["rides"]),
        ]
        try await FacadeFixture.run(keys: keys) { fixture in
            #expect(await fixture.send("POST", Self.path, key: reader, body: Self.body()).status == 403)
            let opened = await fixture.send("POST", Self.path, key: "pgk_switches", body: Self.body())
            #expect(opened.status == 201)
            #expect(await fixture.send("GET", Self.path, key: reader).status == 200)
            #expect(await fixture.send("GET", Self.path, key: "pgk_switches").status == 403)
            let id = try #require(opened.json?["id"]?.string)
            #expect(await fixture.send("POST", "\(Self.path)/\(id)/pause", key: reader).status == 403)
        }
    }
}
