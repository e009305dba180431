import Facade
import HTTPServer
import ProviderKit
import Provisioning
import Testing

@Suite struct TokenRouteTests {
    private func withCard(keys: [APIKey] = [], _ body: (FacadeFixture) async throws -> Void) async throws {
        try await FacadeFixture.run(keys: keys) { fixture in
            #expect(await fixture.makeCard("c1", connection: "token").status == 201)
            try await body(fixture)
        }
    }

    private func id(_ index: Int, _ fixture: FacadeFixture) async throws -> String {
        let list = await fixture.send("GET", "/v1/cards/c1/tokens")
        return try #require(list.json?["data"]?.elements?[index]["id"]?.string)
    }

    @Test func aTokenIsWrittenWhole() async throws {
        try await withCard { fixture in
            let list = await fixture.send("GET", "/v1/cards/c1/tokens?limit=1")
            let id = try #require(list.json?["data"]?.elements?.first?["id"]?.string)
            let expected = #"""
                {"object":"token","id":"\#(id)","card":"c1","program":"rides","provider":"tokens","connection":"token",\#
                "wallet":"apple_pay","status":"active","provider_status":"active","last4":"9341",\#
                "network_reference":"DNITHE301","device":{"type":"phone","name":"Ada's \"phone\""},\#
                "provisioning":null,"created_at":"2026-01-31T10:20:00.000Z","observed_at":"2026-01-31T10:20:30.000Z",\#
                "updated_at":"2026-01-31T10:20:30.456Z"}
                """#
            #expect(list.text.hasPrefix(#"{"object":"list","data":[\#(expected)],"next_cursor":""#))
            let read = await fixture.send("GET", "/v1/tokens/\(id)")
            #expect(read.status == 200 && read.text == expected)
        }
    }

    @Test func theListIsReadPageByPage() async throws {
        try await withCard { fixture in
            var words: [String?] = []
            var cursor: String?
            repeat {
                let page = await fixture.send(
                    "GET", "/v1/cards/c1/tokens?limit=2" + (cursor.map { "&cursor=\($0)" } ?? ""))
                words += page.json?["data"]?.elements?.map { $0["provider_status"]?.string } ?? []
                cursor = page.json?["next_cursor"]?.string
            } while cursor != nil
            #expect(words == ["active", "active", "hibernating"])
            #expect(fixture.tokenProvider.asked == ["list"])
            let unknown = await fixture.send("GET", "/v1/cards/c1/tokens?limit=2&status=active")
            #expect(unknown.status == 400 && unknown.pointers == ["/status"])
            #expect(await fixture.send("GET", "/v1/cards/c2/tokens").code == "card_not_found")
        }
    }

    @Test func changesAreTheProcessorsAnswers() async throws {
        try await withCard { fixture in
            let id = try await id(0, fixture)
            for (change, status) in [("suspend", "suspended"), ("resume", "active"), ("delete", "deleted")] {
                let answer = await fixture.send("POST", "/v1/tokens/\(id)/\(change)")
                #expect(answer.status == 200 && answer.json?["status"]?.string == status)
            }
            let after = await fixture.send("POST", "/v1/tokens/\(id)/resume", body: "{}")
            #expect(after.status == 409 && after.code == "token_transition_invalid")
            #expect(after.json?["retry"]?.string == "fix_request")
            #expect(fixture.tokenProvider.asked == ["list", "suspend t1", "resume t1", "delete t1"])
        }
    }

    @Test func aRepeatWithItsKeyIsAnsweredAndNotCalled() async throws {
        try await withCard { fixture in
            let id = try await id(0, fixture)
            let headers = [(name: "idempotency-key", value: "key-1")]
            let first = await fixture.send("POST", "/v1/tokens/\(id)/suspend", headers: headers)
            let second = await fixture.send("POST", "/v1/tokens/\(id)/suspend", headers: headers, body: "{}")
            #expect(first.status == 200 && second.status == 200 && first.text == second.text)
            #expect(fixture.tokenProvider.asked.filter { $0 == "suspend t1" }.count == 1)
            // The key belongs to its path.
            let other = try await self.id(1, fixture)
            #expect(await fixture.send("POST", "/v1/tokens/\(other)/suspend", headers: headers).status == 200)
            #expect(fixture.tokenProvider.asked.contains("suspend t2"))
        }
    }

    @Test func aBodyThatSaysSomethingIsRefused() async throws {
        try await withCard { fixture in
            let id = try await id(0, fixture)
            let member = await fixture.send("POST", "/v1/tokens/\(id)/suspend", body: #"{"reason":"lost"}"#)
            #expect(member.status == 400 && member.pointers == ["/reason"])
            #expect(await fixture.send("POST", "/v1/tokens/\(id)/suspend", body: "[]").code == "malformed_json")
            let form = await fixture.send(
                "POST", "/v1/tokens/\(id)/suspend", headers: [(name: "content-type", value: "text/plain")], body: "x")
            #expect(form.code == "unsupported_media_type")
            #expect(fixture.tokenProvider.asked == ["list"])
        }
    }

    @Test func scopesAndProgramsAreKept() async throws {
        let reader = FacadeFixture.key(
            "pgk_tokens-read-only-00000000000000000", named: "reader", scopes: [.tokensRead], programs: ["rides"])
        try await withCard(keys: [reader]) { fixture in
            let id = try await id(0, fixture)
            let key = "pgk_tokens-read-only-00000000000000000"
            #expect(await fixture.send("GET", "/v1/tokens/\(id)", key: key).status == 200)
            #expect(await fixture.send("POST", "/v1/tokens/\(id)/delete", key: key).code == "permission_denied")
            #expect(await fixture.send("GET", "/v1/events", key: key).code == "permission_denied")
            let foreign = await fixture.send(
                "GET", "/v1/tokens/\(id)", key: FacadeFixture.bothPrograms,
                headers: [(name: "passgate-program", value: "travel")])
            let unknown = await fixture.send("GET", "/v1/tokens/tok_nobody")
            #expect(foreign.status == 404 && foreign.code == "token_not_found" && unknown.code == "token_not_found")
            #expect(await fixture.send("GET", "/v1/tokens/two%20words").code == "token_not_found")
        }
    }

    @Test func whatTheProcessorCannotDoIsSaid() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let list = await fixture.send("GET", "/v1/cards/c1/tokens")
            #expect(list.status == 200 && list.text == #"{"object":"list","data":[],"next_cursor":null}"#)
        }
    }
}
