import Facade
import HTTPServer
import ProviderKit
import Provisioning
import Testing

@Suite struct DestinationRouteTests {
    private static let path = "/v1/event_destinations"

    private func make(_ fixture: FacadeFixture, _ url: String = "https://hooks.example/a") async -> Answer {
        await fixture.send("POST", Self.path, body: #"{"url":"\#(url)"}"#)
    }

    @Test func aDestinationIsShownWithItsSecretOnce() async throws {
        try await FacadeFixture.run { fixture in
            let made = await make(fixture)
            #expect(made.status == 201)
            let id = try #require(made.json?["id"]?.string)
            let secret = try #require(made.json?["secret"]?.string)
            #expect(id.hasPrefix("dest_") && secret.hasPrefix("whsec_") && secret.count == 50)
            let whole = #"""
                {"object":"event_destination","id":"\#(id)","program":"rides","url":"https://hooks.example/a",\#
                "status":"enabled","former_secret_until":null,"created_at":"2026-01-31T10:20:30.456Z",\#
                "updated_at":"2026-01-31T10:20:30.456Z"}
                """#
            let list = await fixture.send("GET", Self.path)
            #expect(list.text == #"{"object":"list","data":[\#(whole)],"next_cursor":null}"#)
            let read = await fixture.send("GET", "\(Self.path)/\(id)")
            #expect(
                read.text
                    == whole.dropLast() + #","deliveries":{"object":"list","data":[],"next_cursor":null}}"#)
            #expect(!fixture.log.map(\.json).joined().contains(secret))
            #expect(fixture.log.last?.route == "/v1/event_destinations/{id}")
        }
    }

    @Test func theSameKeyMakesOneAndShowsItsSecretNoMore() async throws {
        try await FacadeFixture.run { fixture in
            let body = #"{"url":"https://hooks.example/a"}"#
            let headers = [(name: "idempotency-key", value: "one")]
            let first = await fixture.send("POST", Self.path, headers: headers, body: body)
            let second = await fixture.send("POST", Self.path, headers: headers, body: body)
            #expect(first.status == 201 && second.status == 201)
            #expect(first.json?["id"]?.string == second.json?["id"]?.string)
            #expect(second.json?["secret"] == nil)
            #expect(await fixture.send("GET", Self.path).json?["data"]?.elements?.count == 1)
            let other = await fixture.send(
                "POST", Self.path, headers: headers, body: #"{"url":"https://hooks.example/b"}"#)
            #expect(other.code == "idempotency_key_reused")
        }
    }

    @Test(arguments: [
        ("{}", "/url"), (#"{"url":null}"#, "/url"), (#"{"url":7}"#, "/url"), (#"{"url":""}"#, "/url"),
        (#"{"url":"http://hooks.example/"}"#, "/url"), (#"{"url":"https://a.example/","secret":"x"}"#, "/secret"),
        (#"{"url":"https://a.example/","events":[]}"#, "/events"),
    ])
    func whatIsWrongIsNamed(_ body: String, _ pointer: String) async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send("POST", Self.path, body: body)
            #expect(answer.status == 400 && answer.code == "invalid_request" && answer.pointers == [pointer])
        }
    }

    @Test func aSecretIsReplacedAndShownOnce() async throws {
        try await FacadeFixture.run { fixture in
            let made = await make(fixture)
            let id = try #require(made.json?["id"]?.string)
            let headers = [(name: "idempotency-key", value: "one")]
            let rotated = await fixture.send("POST", "\(Self.path)/\(id)/rotate", headers: headers)
            #expect(rotated.status == 200)
            let secret = try #require(rotated.json?["secret"]?.string)
            #expect(secret.hasPrefix("whsec_") && secret != made.json?["secret"]?.string)
            #expect(rotated.json?["former_secret_until"]?.string == "2026-02-01T10:20:30.456Z")
            let again = await fixture.send("POST", "\(Self.path)/\(id)/rotate", headers: headers)
            #expect(again.status == 200 && again.json?["secret"] == nil)
            let refused = await fixture.send("POST", "\(Self.path)/\(id)/rotate", body: #"{"secret":"x"}"#)
            #expect(refused.pointers == ["/secret"])
        }
    }

    @Test func aReplayQueuesWhatTheLogThenShows() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1", connection: "token")
            _ = await fixture.send("GET", "/v1/cards/c1/tokens")
            let id = try #require(await make(fixture).json?["id"]?.string)
            let events = await fixture.send("GET", "/v1/events").json?["data"]?.elements ?? []
            let second = try #require(events.dropFirst().first?["id"]?.string)
            let replay = await fixture.send(
                "POST", "\(Self.path)/\(id)/replay", body: #"{"from_event":"\#(second)"}"#)
            #expect(replay.status == 202)
            #expect(
                replay.text == #"{"object":"event_replay","destination":"\#(id)","queued":2,"next_event":null}"#)
            let log = await fixture.send("GET", "\(Self.path)/\(id)?status=pending&limit=1")
            let delivery = try #require(log.json?["deliveries"]?["data"]?.elements?.first)
            #expect(delivery["object"]?.string == "event_delivery" && delivery["card"]?.string == "c1")
            #expect(delivery["status"]?.string == "pending" && delivery["attempts"]?.elements?.isEmpty == true)
            let cursor = try #require(log.json?["deliveries"]?["next_cursor"]?.string)
            let rest = await fixture.send("GET", "\(Self.path)/\(id)?status=pending&cursor=\(cursor)")
            #expect(rest.json?["deliveries"]?["data"]?.elements?.first?["event"]?.string == second)
            let all = await fixture.send(
                "POST", "\(Self.path)/\(id)/replay", body: #"{"from_time":"2026-01-31T10:20:30.456Z"}"#)
            #expect(all.json?["queued"]?.integer == 3)
            let dead = await fixture.send("POST", "\(Self.path)/\(id)/replay", body: #"{"dead_letters":true}"#)
            #expect(dead.json?["queued"]?.integer == 0)
        }
    }

    @Test(arguments: [
        ("{}", "/from_event"), (#"{"dead_letters":false}"#, "/from_event"), (#"{"from_event":"evt_x"}"#, "/from_event"),
        (#"{"from_time":"yesterday"}"#, "/from_time"), (#"{"event":"evt_x","dead_letters":true}"#, "/event"),
        (#"{"from_event":"evt_x","from_time":"2026-01-31T10:20:30.456Z"}"#, "/from_time"),
    ])
    func aReplayThatSaysNothingKnownIsRefused(_ body: String, _ pointer: String) async throws {
        try await FacadeFixture.run { fixture in
            let id = try #require(await make(fixture).json?["id"]?.string)
            let answer = await fixture.send("POST", "\(Self.path)/\(id)/replay", body: body)
            #expect(answer.status == 400 && answer.pointers == [pointer])
        }
    }

    @Test func aDestinationThatIsNotTheProgramsIsNotFound() async throws {
        try await FacadeFixture.run { fixture in
            let id = try #require(await make(fixture).json?["id"]?.string)
            let travel = [(name: "passgate-program", value: "travel")]
            let calls =
                [
                    ("GET", "", nil), ("DELETE", "", nil), ("POST", "/rotate", nil),
                    ("POST", "/replay", #"{"dead_letters":true}"#),
                ] as [(String, String, String?)]
            for (method, suffix, body) in calls {
                let foreign = await fixture.send(
                    method, "\(Self.path)/\(id)\(suffix)", key: FacadeFixture.bothPrograms, headers: travel, body: body)
                let unknown = await fixture.send(method, "\(Self.path)/dest_nobody\(suffix)", body: body)
                let odd = await fixture.send(method, "\(Self.path)/two%20words\(suffix)", body: body)
                for answer in [foreign, unknown, odd] {
                    #expect(answer.status == 404 && answer.code == "destination_not_found")
                }
            }
            #expect(await fixture.send("DELETE", "\(Self.path)/\(id)").status == 204)
            #expect(await fixture.send("GET", "\(Self.path)/\(id)").status == 404)
        }
    }
}
