import Facade
import ProviderKit
import Testing

@Suite struct BindingRouteTests {
    private func put(
        _ fixture: FacadeFixture, _ id: String = "card_new", at connection: String = "sdk", state: String = "standby",
        card: String = "c1"
    ) async -> Answer {
        await fixture.send(
            "PUT", "/v1/cards/\(card)/bindings/\(connection)",
            body: #"{"provider_card_id":"\#(id)","last4":"0007","network":"mastercard","state":"\#(state)"}"#)
    }

    private func states(_ answer: Answer) -> [String] {
        answer.json?["bindings"]?.elements?.map {
            "\($0["connection"]?.string ?? "") \($0["state"]?.string ?? "")"
        } ?? []
    }

    @Test func addsThenReplacesThenActivates() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let added = await put(fixture)
            #expect(added.status == 201 && states(added) == ["main active", "sdk standby"])
            #expect(added.json?["serving"]?.string == "main")
            #expect(await put(fixture).status == 200)
            let replaced = await put(fixture, "card_newer")
            let binding = replaced.json?["bindings"]?.elements?.last
            #expect(replaced.status == 200 && binding?["provider_card_id"]?.string == "card_newer")
            #expect(binding?["former_ids"]?.elements?.map(\.string) == ["card_new"])
            let active = await put(fixture, "card_newer", state: "active")
            #expect(states(active) == ["main standby", "sdk active"])
            #expect(active.json?["serving"]?.string == "sdk")
            #expect(await fixture.makeCard("c1").json?["serving"]?.string == "sdk", "an upsert undoes nothing")
            #expect(await fixture.makeCard("c1", providerCard: "card_new", connection: "sdk").status == 200)
            let events = await fixture.send("GET", "/v1/events?type=card.*")
            #expect(events.json?["data"]?.elements?.map { $0["sequence"]?.integer } == [1, 2, 3, 4])
            #expect(events.json?["data"]?.elements?.first?["data"]?["change"]?.string == "added")
            #expect(!events.text.contains("card_new"))
        }
    }

    @Test func oneBindingStaysActive() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            _ = await put(fixture)
            for state in ["standby", "retired"] {
                let answer = await fixture.send(
                    "PUT", "/v1/cards/c1/bindings/main",
                    body: #"{"provider_card_id":"card_ridesc1","last4":"4242","network":"visa","state":"\#(state)"}"#)
                #expect(answer.status == 409 && answer.code == "binding_conflict")
                #expect(answer.json?["retry"]?.string == "fix_request" && answer.pointers == ["/state"])
                #expect(answer.json?["detail"]?.string?.contains("make another one active first: `sdk`") == true)
            }
        }
    }

    @Test func anIdBelongsToOneCard() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            _ = await fixture.makeCard("c2", connection: "sdk")
            _ = await fixture.makeCard("c3", program: "travel", providerCard: "card_foreign", connection: "sdk")
            #expect(await put(fixture, "card_ridesc2").code == "binding_conflict")
            let foreign = await put(fixture, "card_foreign")
            #expect(foreign.status == 422 && foreign.code == "provider_card_not_found")
            #expect(!foreign.text.contains("travel") && !foreign.text.contains("\"c3\""))
        }
    }

    @Test func whatIsNotThereIsNotFound() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            #expect(await put(fixture, at: "gone").code == "connection_not_found")
            #expect(await put(fixture, card: "c9").code == "card_not_found")
            #expect(await put(fixture, card: "c%20x").code == "card_not_found")
            #expect(await fixture.send("GET", "/v1/cards/c1/bindings/main").status == 405)
            #expect(await fixture.send("PUT", "/v1/cards/c1/bindings", body: "{}").status == 404)
        }
    }

    @Test(arguments: [
        ("{}", ["/provider_card_id", "/last4", "/network", "/state"]), (#"{"connection":"sdk"}"#, ["/connection"]),
        (
            #"{"provider_card_id":"card_1","last4":"12","network":"VISA","state":"on"}"#,
            ["/last4", "/network", "/state"]
        ),
        (#"{"provider_card_id":"nothing","last4":"1234","network":"visa","state":"standby"}"#, ["/provider_card_id"]),
    ])
    func everyMemberIsChecked(body: String, pointers: [String]) async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await fixture.send("PUT", "/v1/cards/c1/bindings/sdk", body: body)
            #expect(answer.status == 400 && answer.code == "invalid_request")
            #expect(Set(pointers).isSubset(of: answer.pointers), "\(answer.pointers)")
        }
    }
}
