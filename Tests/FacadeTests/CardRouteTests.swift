import Facade
import ProviderKit
import Testing

@Suite struct CardRouteTests {
    @Test func createsThenUpdatesACard() async throws {
        try await FacadeFixture.run { fixture in
            let created = await fixture.makeCard("c1")
            #expect(created.status == 201)
            let updated = await fixture.send(
                "PUT", "/v1/cards/c1",
                body: #"{"title": "Blue", "art_url": "https://art.example/a.png", "metadata": {"b": true, "a": 1.5}}"#)
            #expect(updated.status == 200)
            let read = await fixture.send("GET", "/v1/cards/c1")
            #expect(read.text == updated.text)
            #expect(
                read.text == """
                    {"object":"card","id":"c1","program":"rides",\
                    "cardholder":{"id":"ch_c1","name":"Ada Lovelace"},"title":"Blue",\
                    "art_url":"https://art.example/a.png","metadata":{"a":1.5,"b":true},\
                    "bindings":[{"connection":"main","provider":"scripted","provider_card_id":"card_ridesc1",\
                    "former_ids":[],"provider_cardholder_id":null,"last4":"4242","network":"visa","product_id":null,\
                    "state":"active"}],"serving":"main","created_at":"2026-01-31T10:20:30.456Z",\
                    "updated_at":"2026-01-31T10:20:30.456Z"}
                    """)
        }
    }

    @Test func aNewCardNeedsItsMembers() async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send("PUT", "/v1/cards/c1", body: "{}")
            #expect(answer.code == "invalid_request")
            #expect(answer.pointers == ["/binding", "/cardholder/id", "/cardholder/name"])
        }
    }

    @Test func anotherBindingIsAConflict() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            #expect(await fixture.makeCard("c1", providerCard: "card_other").code == "binding_conflict")
            #expect(await fixture.makeCard("c1").status == 200)
        }
    }

    @Test func aBindingNamesAConnectionOfTheProgram() async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send(
                "PUT", "/v1/cards/c1",
                body: """
                    {"binding": {"connection": "elsewhere", "provider_card_id": "card_1", "last4": "4242",
                     "network": "visa"}, "cardholder": {"id": "x", "name": "Ada"}}
                    """)
            #expect(answer.status == 400 && answer.pointers == ["/binding/connection"])
            #expect(answer.json?["detail"]?.string?.hasPrefix("/binding/connection is not") == true)
        }
    }

    @Test func listsAPageAtATime() async throws {
        try await FacadeFixture.run { fixture in
            for id in ["a", "b", "c"] { _ = await fixture.makeCard(id) }
            var seen: [String] = []
            var target = "/v1/cards?limit=2"
            for _ in 0..<3 {
                let page = await fixture.send("GET", target)
                #expect(page.json?["object"]?.string == "list")
                seen += page.json?["data"]?.elements?.compactMap { $0["id"]?.string } ?? []
                guard let cursor = page.json?["next_cursor"]?.string else { break }
                target = "/v1/cards?limit=2&cursor=\(cursor)"
            }
            #expect(seen == ["a", "b", "c"])
            let filtered = await fixture.send("GET", "/v1/cards?cardholder=ch_b&connection=main")
            #expect(filtered.json?["data"]?.elements?.map { $0["id"]?.string } == ["b"])
        }
    }

    @Test func takesNoCursorThatTheSameListDidNotGive() async throws {
        try await FacadeFixture.run { fixture in
            for id in ["a", "b", "c"] { _ = await fixture.makeCard(id, program: "travel") }
            for id in ["a", "b", "c"] { _ = await fixture.makeCard(id) }
            let page = await fixture.send("GET", "/v1/cards?limit=2")
            let cursor = try #require(page.json?["next_cursor"]?.string)
            #expect(await fixture.send("GET", "/v1/cards?limit=1&cursor=\(cursor)").status == 200)
            var altered = (0..<cursor.utf8.count).map { place in
                var bytes = Array(cursor.utf8)
                bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
                return String(decoding: bytes, as: UTF8.self)
            }
            altered += ["forged", String(cursor.dropLast()), cursor + "A", cursor + "=", "cAAAAAAAAAAY"]
            let queries =
                altered.map { "/v1/cards?cursor=\($0)" } + [
                    "/v1/cards?connection=main&cursor=\(cursor)", "/v1/provisionings?cursor=\(cursor)",
                ]
            for query in queries {
                let answer = await fixture.send("GET", query)
                #expect(answer.status == 400 && answer.pointers == ["/cursor"], "\(query)")
            }
            let travel = [(name: "passgate-program", value: "travel")]
            let foreign = await fixture.send(
                "GET", "/v1/cards?cursor=\(cursor)", key: FacadeFixture.bothPrograms, headers: travel)
            #expect(foreign.pointers == ["/cursor"])
        }
    }

    @Test func erasesACardOnce() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await fixture.send("DELETE", "/v1/cards/c1")
            #expect(answer.status == 204 && answer.text.isEmpty)
            #expect(await fixture.send("DELETE", "/v1/cards/c1").code == "card_not_found")
            #expect(await fixture.send("GET", "/v1/cards/c1").code == "card_not_found")
        }
    }

    @Test func tellsWhetherACardCanBeAdded() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await fixture.send("GET", "/v1/cards/c1/wallets?wallet=apple_pay&accept=apple_pay_pass")
            let row = answer.json?["data"]?.elements?.first
            #expect(row?["object"]?.string == "wallet_eligibility")
            #expect(row?["eligible"]?.bool == true)
            #expect(row?["handoff"]?.string == "apple_pay_pass")
            #expect(row?["manual_provisioning"]?["missing"]?.elements?.first?.string == "phone")
            #expect(row?["apple_pay_configuration"]?["encryption_scheme"]?.string == "ECC_V2")
            #expect(row?["apple_pay_configuration"]?["primary_account_suffix"]?.string == "4242")
            let google = await fixture.send("GET", "/v1/cards/c1/wallets?wallet=google_pay")
            #expect(google.json?["data"]?.elements?.first?["apple_pay_configuration"] == nil)
        }
    }

    @Test func listsTheWalletsOfACardholdersCards() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await fixture.send("GET", "/v1/cardholders/ch_c1/wallets")
            let rows = answer.json?["data"]?.elements ?? []
            #expect(rows.compactMap { $0["wallet"]?.string } == ["apple_pay", "google_pay"])
            #expect(rows.allSatisfy { $0["card"]?.string == "c1" })
            let nobody = await fixture.send("GET", "/v1/cardholders/nobody/wallets")
            #expect(nobody.status == 200 && nobody.json?["data"]?.elements?.isEmpty == true)
        }
    }
}
