import Facade
import HTTPServer
import ProviderKit
import Testing

@Suite struct RouteAnswerTests {
    @Test("E15: an unknown route is not an unknown card")
    func tellsRoutesFromCards() async throws {
        try await FacadeFixture.run { fixture in
            let route = await fixture.send("GET", "/v1/cards/c1/wallet_buttons")
            let card = await fixture.send("GET", "/v1/cards/c1")
            #expect(route.status == 404 && route.code == "route_not_found")
            #expect(card.status == 404 && card.code == "card_not_found")
        }
    }

    @Test func saysWhichMethodsAResourceTakes() async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send("PATCH", "/v1/cards/c1", key: nil)
            #expect(answer.status == 405 && answer.code == "method_not_allowed")
            #expect(answer.header("Allow") == "GET, HEAD, PUT, DELETE, OPTIONS")
            let provision = await fixture.send("GET", "/v1/cards/c1/provisionings", key: nil)
            #expect(provision.header("Allow") == "POST, OPTIONS")
            #expect(provision.json?["outcome"]?.isNull == true)
            let options = await fixture.send("OPTIONS", "/v1/cards", key: nil)
            #expect(options.status == 204 && options.text.isEmpty)
            #expect(options.header("Allow") == "GET, HEAD, OPTIONS")
        }
    }

    @Test func everyAnswerHasAnIDOfItsOwnAndIsNotStored() async throws {
        try await FacadeFixture.run { fixture in
            let answers = [
                await fixture.send("GET", "/healthz", headers: [(name: "request-id", value: "mine")]),
                await fixture.send("GET", "/nowhere"), await fixture.send("GET", "/v1/capabilities"),
                await fixture.send("OPTIONS", "/v1/cards"), await fixture.send("GET", "/v1/cards", key: nil),
            ]
            for answer in answers {
                let id = answer.header("Request-Id") ?? ""
                #expect(id.wholeMatch(of: /req_[0-9a-z]{24}/) != nil)
                #expect(answer.header("Cache-Control") == "no-store")
                if let told = answer.json?["request_id"]?.string { #expect(told == id) }
            }
            #expect(Set(answers.map { $0.header("Request-Id") }).count == answers.count)
        }
    }

    @Test func takesOnlyJSONBodies() async throws {
        try await FacadeFixture.run { fixture in
            let refused = [
                "", "text/plain", "application/json; charset=latin1", "application/json; charset=utf-8; x=y",
                "application/jsonp", "application/problem+json", "application/json, application/json",
            ]
            for type in refused {
                let answer = await fixture.send(
                    "PUT", "/v1/cards/c1", headers: [(name: "content-type", value: type)], body: "{}")
                #expect(answer.status == 415 && answer.code == "unsupported_media_type", "\(type)")
            }
            for type in ["application/json", "Application/JSON;charset=UTF-8", "application/json; charset=\"utf-8\""] {
                let answer = await fixture.send(
                    "PUT", "/v1/cards/c1", headers: [(name: "content-type", value: type)], body: "{}")
                #expect(answer.code == "invalid_request", "\(type)")
            }
            let packed = [(name: "content-type", value: "application/json"), (name: "content-encoding", value: "gzip")]
            let answer = await fixture.send("PUT", "/v1/cards/c1", headers: packed, body: "{}")
            #expect(answer.code == "unsupported_media_type")
        }
    }

    @Test(arguments: ["", " ", "[]", "1", "{", "{}{}", "{\"a\":}", "null", "\"{}\"", "{\"a\":\"\u{1}\"}"])
    func refusesBodiesThatAreNotOneObject(body: String) async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send("PUT", "/v1/cards/c1", body: body)
            #expect(answer.status == 400 && answer.code == "malformed_json")
            #expect(answer.header("Content-Type") == "application/problem+json")
        }
    }

    @Test func readsALargeBodyOnlyForACallerThatMaySendIt() async throws {
        try await FacadeFixture.run { fixture in
            func policy(_ headers: [(name: String, value: String)]) -> Int? {
                let head = HTTPRequest(method: "PUT", path: "/v1/cards/c1", headers: headers)
                guard case .refuse(let response) = fixture.facade.bodyPolicy(for: head) else { return nil }
                return response.status
            }
            let key = (name: "authorization", value: "Bearer \(FacadeFixture.everything)")
            let type = (name: "content-type", value: "application/json")
            let large = (name: "content-length", value: "4097")
            let chunked = (name: "transfer-encoding", value: "chunked")
            #expect(policy([type, (name: "content-length", value: "4096")]) == nil)
            #expect(policy([type, large]) == 401)
            #expect(policy([key, large]) == 415)
            #expect(policy([key, type, large]) == 413)
            #expect(policy([type, chunked]) == 401)
            #expect(policy([key, type, chunked]) == nil)
            #expect(policy([key, type, (name: "content-length", value: "99999999999999999999")]) == 413)
        }
    }

    @Test(arguments: [
        (HTTPRefusal.malformed("x"), 400, "invalid_request"), (.headersTooLarge, 431, "headers_too_large"),
        (.payloadTooLarge, 413, "payload_too_large"), (.tooSlow, 400, "invalid_request"),
        (.draining, 503, "overloaded"),
    ])
    func answersWhatNeverBecameARequest(refusal: HTTPRefusal, status: Int, code: String) async throws {
        try await FacadeFixture.run { fixture in
            let response = fixture.facade.refusal(refusal)
            let answer = Answer(response)
            #expect(answer.status == status && answer.code == code)
            #expect(response.closesConnection)
            #expect(answer.header("Content-Type") == "application/problem+json")
            #expect(answer.header("Request-Id") == answer.json?["request_id"]?.string)
        }
    }

    @Test func saysThatItIsAliveAndReadyUntilItDrains() async throws {
        try await FacadeFixture.run { fixture in
            #expect(await fixture.send("GET", "/healthz", key: nil).status == 200)
            #expect(await fixture.send("GET", "/readyz", key: nil).status == 200)
            fixture.facade.beginDraining()
            let answer = await fixture.send("GET", "/readyz", key: nil)
            #expect(answer.status == 503 && answer.code == "overloaded")
            #expect(answer.header("Retry-After") == "1")
            #expect(await fixture.send("GET", "/healthz", key: nil).status == 200)
        }
    }

    @Test func listsARowForEveryWalletAndChannel() async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send("GET", "/v1/capabilities", key: FacadeFixture.bothPrograms)
            let rows = answer.json?["data"]?.elements ?? []
            #expect(rows.count == 6)
            let samsung = rows.filter { $0["wallet"]?.string == "samsung_pay" }
            #expect(samsung.count == 2 && samsung.allSatisfy { $0["handoff"]?.isNull == true })
        }
    }

    @Test func explainsEveryCode() async throws {
        try await FacadeFixture.run { fixture in
            let json = await fixture.send("GET", "/errors/handshake_reused", key: nil)
            #expect(json.json?["retry"]?["not_sent"]?.string == "fresh_handshake")
            #expect(json.json?["type"]?.string == "https://passgate.example/errors/handshake_reused")
            let page = await fixture.send(
                "GET", "/errors/handshake_reused", key: nil,
                headers: [(name: "accept", value: "text/html,application/xhtml+xml,*/*;q=0.8")])
            #expect(page.header("Content-Type") == "text/html; charset=utf-8")
            #expect(page.text.contains("fresh_handshake"))
            #expect(await fixture.send("GET", "/errors/no_such_code", key: nil).code == "route_not_found")
        }
    }
}
