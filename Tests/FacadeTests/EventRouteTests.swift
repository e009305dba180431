import Facade
import HTTPServer
import ProviderKit
import Provisioning
import Testing

@Suite struct EventRouteTests {
    private func withEvents(_ body: (FacadeFixture) async throws -> Void) async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1", connection: "token")
            _ = await fixture.send("GET", "/v1/cards/c1/tokens")
            try await body(fixture)
        }
    }

    @Test func anEventIsWrittenWhole() async throws {
        try await withEvents { fixture in
            let list = await fixture.send("GET", "/v1/events?type=token.unknown")
            let event = try #require(list.json?["data"]?.elements?.first)
            let (id, token) = (event["id"]?.string ?? "", event["data"]?["id"]?.string ?? "")
            let expected = #"""
                {"object":"event","id":"\#(id)","type":"token.unknown","program":"rides","card":"c1","sequence":3,\#
                "created_at":"2026-01-31T10:20:30.456Z","data":{"object":"token","id":"\#(token)",\#
                "provider":"tokens","connection":"token","wallet":"apple_pay","status":"unknown",\#
                "previous_status":null,"provider_status":"hibernating","provisioning":null,\#
                "observed_at":"2026-01-31T10:20:30.000Z"}}
                """#
            #expect(list.text == #"{"object":"list","data":[\#(expected)],"next_cursor":null}"#)
            #expect(await fixture.send("GET", "/v1/events/\(id)").text == expected)
        }
    }

    @Test func theyAreFilteredAndPaged() async throws {
        try await withEvents { fixture in
            func sequences(_ query: String) async -> [Int?] {
                let list = await fixture.send("GET", "/v1/events?\(query)")
                return list.json?["data"]?.elements?.map { $0["sequence"]?.integer } ?? []
            }
            #expect(await sequences("card=c1") == [1, 2, 3])
            #expect(await sequences("card=c2") == [])
            #expect(await sequences("type=token.*") == [1, 2, 3])
            #expect(await sequences("type=provisioning.*") == [])
            #expect(await sequences("type=token.active&limit=1") == [1])
            let first = await fixture.send("GET", "/v1/events?limit=1")
            let cursor = try #require(first.json?["next_cursor"]?.string)
            #expect(await sequences("limit=1&cursor=\(cursor)") == [2])
            let id = try #require(first.json?["data"]?.elements?.first?["id"]?.string)
            #expect(await sequences("after=\(id)") == [2, 3])
            let foreign = await fixture.send("GET", "/v1/events?limit=1&card=c1&cursor=\(cursor)")
            #expect(foreign.pointers == ["/cursor"])
        }
    }

    @Test(arguments: [
        ("type=token.lost", "/type"), ("type=token", "/type"), ("type=*", "/type"), ("type=tok%3F", "/type"),
        ("after=evt_nobody", "/after"), ("order=desc", "/order"), ("limit=0", "/limit"),
    ])
    func whatIsNotKnownIsNamed(_ query: String, _ pointer: String) async throws {
        try await withEvents { fixture in
            let answer = await fixture.send("GET", "/v1/events?\(query)")
            #expect(answer.status == 400 && answer.code == "invalid_request" && answer.pointers == [pointer])
        }
    }

    @Test func anEventThatIsNotThereIsNotFound() async throws {
        try await withEvents { fixture in
            for id in ["evt_nobody", "two%20words"] {
                let answer = await fixture.send("GET", "/v1/events/\(id)")
                #expect(answer.status == 404 && answer.code == "event_not_found")
            }
        }
    }

    // MARK: Deliveries

    @Test func aDeliveryNeedsNoKeyAndIsAnsweredInPlainText() async throws {
        try await FacadeFixture.run { fixture in
            for type in ["application/json", "application/x-www-form-urlencoded", "text/plain"] {
                let answer = await fixture.send(
                    "POST", "/v1/inbound/token", key: nil,
                    headers: [(name: "signature", value: "yes"), (name: "content-type", value: type)], body: type)
                #expect(answer.status == 200 && answer.text == "ok\n")
                #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
            }
            #expect(fixture.log.last?.route == "/v1/inbound/{connection}")
        }
    }

    @Test func whatIsNotBelievedIs401WithoutAChallenge() async throws {
        try await FacadeFixture.run { fixture in
            for connection in ["token", "main", "sdk"] {
                let answer = await fixture.send("POST", "/v1/inbound/\(connection)", key: nil, body: "{}")
                #expect(answer.status == 401 && answer.code == "signature_invalid")
                #expect(answer.json?["retry"]?.string == "never" && answer.header("WWW-Authenticate") == nil)
            }
            let unknown = await fixture.send("POST", "/v1/inbound/nobody", key: nil, body: "{}")
            #expect(unknown.status == 404 && unknown.code == "connection_not_found")
            #expect(await fixture.send("GET", "/v1/inbound/token", key: nil).code == "method_not_allowed")
        }
    }
}
