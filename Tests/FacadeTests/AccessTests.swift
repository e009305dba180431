import Facade
import Gateway
import HTTPServer
import ProviderKit
import Testing

@Suite struct AccessTests {
    /// Each route with the scope that it needs, and what it answers to a key that has it.
    private static let routes: [(method: String, path: String, scope: Scope, status: Int)] = [
        ("GET", "/v1/cards", .cardsRead, 200), ("GET", "/v1/cards/c1", .cardsRead, 404),
        ("PUT", "/v1/cards/c1", .cardsWrite, 415), ("DELETE", "/v1/cards/c1", .cardsWrite, 404),
        ("GET", "/v1/cards/c1/wallets", .cardsRead, 404), ("GET", "/v1/cardholders/x/wallets", .cardsRead, 200),
        ("POST", "/v1/cards/c1/wallet_button", .cardsRead, 415),
        ("POST", "/v1/cards/c1/wallet_credentials", .provisioningWrite, 415),
        ("POST", "/v1/cards/c1/provisionings", .provisioningWrite, 415),
        ("GET", "/v1/provisionings", .provisioningRead, 200),
        ("GET", "/v1/provisionings/prov_1", .provisioningRead, 404),
        ("POST", "/v1/provisionings/prov_1/outcome", .provisioningWrite, 415),
        ("GET", "/v1/provisionings/prov_1/timeline", .provisioningRead, 404),
        ("GET", "/v1/event_destinations", .eventsRead, 200),
        ("GET", "/v1/event_destinations/dest_1", .eventsRead, 404),
        ("POST", "/v1/event_destinations", .eventsWrite, 415),
        ("POST", "/v1/event_destinations/dest_1/replay", .eventsWrite, 415),
        ("POST", "/v1/event_destinations/dest_1/rotate", .eventsWrite, 404),
        ("DELETE", "/v1/event_destinations/dest_1", .eventsWrite, 404),
    ]

    @Test func aKeyDoesWhatItsScopesSayAndNoMore() async throws {
        let texts = Dictionary(uniqueKeysWithValues: Scope.allCases.map { ($0, "pgk_\($0.rawValue)-0000000000000") })
        let keys = texts.map {
            FacadeFixture.key($0.value, named: $0.key.rawValue, scopes: [$0.key], programs: ["rides"])
        }
        try await FacadeFixture.run(keys: keys) { fixture in
            for route in Self.routes {
                for scope in Scope.allCases {
                    let answer = await fixture.send(route.method, route.path, key: texts[scope])
                    if scope == route.scope {
                        #expect(answer.status == route.status, "\(route) with \(scope)")
                    } else {
                        #expect(answer.status == 403 && answer.code == "permission_denied", "\(route) with \(scope)")
                    }
                }
            }
            #expect(await fixture.send("GET", "/v1/capabilities", key: texts[.admin]).status == 200)
        }
    }

    @Test func anUnknownKeyLearnsNothing() async throws {
        try await FacadeFixture.run { fixture in
            let fields = [
                "", "Bearer", "Bearer ", "Basic cGdrXw==", "Bearer pgk_", "Bearer pgk_unknown-00000000000000000000",
                "Bearer  \(FacadeFixture.everything)", "Bearer \(FacadeFixture.everything) ",
                "Bearer \(FacadeFixture.everything)x", FacadeFixture.everything,
            ]
            var texts: Set<String> = []
            for field in fields {
                let answer = await fixture.send(
                    "GET", "/v1/cards", key: nil, headers: [(name: "authorization", value: field)])
                #expect(answer.status == 401 && answer.code == "unauthenticated", "\(field)")
                #expect(answer.header("WWW-Authenticate") == "Bearer")
                let id = answer.header("Request-Id") ?? ""
                texts.insert(answer.text.replacing(id, with: ""))
            }
            #expect(texts.count == 1)
            let doubled = Array(
                repeating: (name: "authorization", value: "Bearer \(FacadeFixture.everything)"), count: 2)
            #expect(await fixture.send("GET", "/v1/cards", key: nil, headers: doubled).status == 401)
            let lower = [(name: "authorization", value: "bearer \(FacadeFixture.everything)")]
            #expect(await fixture.send("GET", "/v1/cards", key: nil, headers: lower).status == 200)
        }
    }

    @Test func aReloadChangesTheKeys() async throws {
        try await FacadeFixture.run { fixture in
            let text = "pgk_new-0000000000000000000000000000000"
            fixture.facade.replace(
                gateway: fixture.gateway, keys: [FacadeFixture.key(text, named: "new", programs: ["rides"])],
                bodyLimit: 4096)
            #expect(await fixture.send("GET", "/v1/cards").status == 401)
            #expect(await fixture.send("GET", "/v1/cards", key: text).status == 200)
        }
    }

    @Test func noRequestSeesPartsOfTwoConfigurations() async throws {
        try await FacadeFixture.run { fixture in
            // In each configuration the key is confined to the only program that there is.
            let configurations = ["rides", "travel"].map { name in
                var directory = fixture.gateway.directory
                directory.programs = directory.programs.filter { $0.key == name }
                let key = FacadeFixture.key(FacadeFixture.everything, named: "backend", programs: [name])
                return (gateway: fixture.gateway.serving(directory), key: key)
            }
            let facade = fixture.facade
            func replace(_ count: Int) {
                let (gateway, key) = configurations[count % 2]
                facade.replace(gateway: gateway, keys: [key], bodyLimit: 4096)
            }
            replace(0)
            await withTaskGroup { group in
                group.addTask {
                    var count = 0
                    while !Task.isCancelled {
                        count += 1
                        replace(count)
                        await Task.yield()
                    }
                }
                for _ in 0..<300 { #expect(await fixture.send("GET", "/v1/cards/none").code == "card_not_found") }
                group.cancelAll()
            }
        }
    }

    @Test func aReloadChangesTheLimitOfBodies() async throws {
        try await FacadeFixture.run { fixture in
            let head = HTTPRequest(
                method: "PUT", path: "/v1/cards/c1", headers: [(name: "content-length", value: "5000")])
            guard case .refuse = fixture.facade.bodyPolicy(for: head) else {
                Issue.record("5000 bytes are beyond the limit")
                return
            }
            fixture.facade.replace(gateway: fixture.gateway, keys: [], bodyLimit: 5000)
            guard case .collect(limit: 5000) = fixture.facade.bodyPolicy(for: head) else {
                Issue.record("5000 bytes are within the new limit")
                return
            }
        }
    }

    @Test func aKeyWithSeveralProgramsNamesOne() async throws {
        try await FacadeFixture.run { fixture in
            let both = FacadeFixture.bothPrograms
            let answer = await fixture.send("GET", "/v1/cards", key: both)
            #expect(answer.status == 400 && answer.code == "program_required")
            for program in ["rides", "travel"] {
                let named = [(name: "passgate-program", value: program)]
                #expect(await fixture.send("GET", "/v1/cards", key: both, headers: named).status == 200)
            }
        }
    }

    @Test("E14: a foreign program is like one that there is not")
    func foreignAndUnknownProgramsLookAlike() async throws {
        try await FacadeFixture.run { fixture in
            var texts: Set<String> = []
            for program in ["travel", "nowhere", "", "Rides"] {
                let answer = await fixture.send(
                    "GET", "/v1/cards/c1", headers: [(name: "passgate-program", value: program)])
                #expect(answer.status == 404 && answer.code == "program_not_found", "\(program)")
                texts.insert(answer.text.replacing(answer.header("Request-Id") ?? "", with: ""))
            }
            #expect(texts.count == 1)
        }
    }

    @Test("E14: a card of another program is like one that there is not")
    func cardsOfOtherProgramsAreUnknown() async throws {
        try await FacadeFixture.run { fixture in
            #expect(await fixture.makeCard("c1", program: "travel").status == 201)
            let foreign = await fixture.send("GET", "/v1/cards/c1")
            let unknown = await fixture.send("GET", "/v1/cards/c2")
            let malformed = await fixture.send("GET", "/v1/cards/c%2F2")
            let texts = [foreign, unknown, malformed].map { answer in
                answer.text.replacing(answer.header("Request-Id") ?? "", with: "")
            }
            #expect(Set(texts).count == 1 && foreign.code == "card_not_found")
            let list = await fixture.send("GET", "/v1/cards")
            #expect(list.json?["data"]?.elements?.isEmpty == true)
            #expect(await fixture.send("DELETE", "/v1/cards/c1").status == 404)
        }
    }
}
