import Facade
import ProviderKit
import Testing

@Suite struct ImportRouteTests {
    private static func line(_ id: String, _ members: String = "") -> String {
        """
        {"id":"\(id)","binding":{"connection":"main","provider_card_id":"card_\(id)","last4":"4242","network":"visa"},\
        "cardholder":{"id":"ch","name":"Zoë 👩🏽‍🚀"}\(members)}
        """
    }

    private func send(_ fixture: FacadeFixture, _ text: String, piece: Int = 1 << 16) async -> Answer {
        let bytes = Array(text.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: piece).map {
            Array(bytes[$0..<min($0 + piece, bytes.count)])
        }
        return await fixture.stream("/v1/cards/import", pieces)
    }

    @Test(arguments: [1, 3, 1 << 16])
    func wherePiecesEndDoesNotMatter(piece: Int) async throws {
        try await FacadeFixture.run { fixture in
            let text = "\u{feff}" + [Self.line("a"), Self.line("b"), "", Self.line("c")].joined(separator: "\r\n")
            let answer = await send(fixture, text, piece: piece)
            #expect(answer.status == 200)
            #expect(answer.text == #"{"imported":3,"updated":0,"failed":0,"errors":[]}"#)
            let card = await fixture.send("GET", "/v1/cards/b")
            #expect(card.json?["cardholder"]?["name"]?.string == "Zoë 👩🏽‍🚀")
        }
    }

    @Test func everyLineIsReadAsTheBodyOfPut() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("taken", program: "travel", providerCard: "card_foreign")
            let lines = [
                Self.line("a"), #"{"id":"a","titel":"x"}"#, #"{"title":"x"}"#, #"{"id":"a b","title":"x"}"#,
                #"{"id":"n"}"#, "[]", #"{"id":"a""#, #"{"id":"a"} {"id":"b"}"#, #"{"id":"a","title":"x"}"#,
                #"{"id":"x","binding":{"connection":"gone","provider_card_id":"x","last4":"1","network":"visa"}}"#,
                Self.line("a").replacing("card_a", with: "card_b"),
                Self.line("f").replacing("card_f", with: "card_foreign"),
                #"{"id":"a","bindings":[]}"#, String(repeating: "x", count: 5000),
            ]
            let answer = await send(fixture, lines.joined(separator: "\n"))
            #expect(answer.json?["imported"]?.integer == 1 && answer.json?["updated"]?.integer == 1)
            #expect(answer.json?["failed"]?.integer == 12)
            let errors = answer.json?["errors"]?.elements ?? []
            let told = errors.map { "\($0["line"]?.integer ?? 0) \($0["code"]?.string ?? "")" }
            #expect(
                told == [
                    "2 invalid_request", "3 invalid_request", "4 invalid_request", "5 invalid_request",
                    "6 malformed_json", "7 malformed_json", "8 malformed_json", "10 invalid_request",
                    "11 binding_conflict", "12 provider_card_not_found", "13 invalid_request", "14 payload_too_large",
                ])
            let details = errors.compactMap { $0["detail"]?.string }
            #expect(details[0] == "/titel is not known here; did you mean `title`?")
            #expect(details[1] == "/id is missing.")
            #expect(details[3].contains("/binding is missing; /cardholder/id is missing"))
            #expect(!answer.text.contains("card_foreign"))
        }
    }

    @Test func bytesThatAreNoUTF8AreNoLine() async throws {
        try await FacadeFixture.run { fixture in
            var bytes = Array((Self.line("a") + "\n").utf8)
            bytes += [0xff, 0xfe, 0x0a, 0x00, 0x0a]
            bytes += Array(#"{"id":""#.utf8) + [0xc3, 0x28] + Array(#""}"#.utf8)
            let answer = await fixture.stream("/v1/cards/import", [bytes])
            #expect(answer.json?["imported"]?.integer == 1 && answer.json?["failed"]?.integer == 3)
            let codes = answer.json?["errors"]?.elements?.map { $0["code"]?.string }
            #expect(codes == ["malformed_json", "malformed_json", "malformed_json"])
        }
    }

    @Test func anEmptyBodyImportsNothing() async throws {
        try await FacadeFixture.run { fixture in
            for pieces in [[], [Array("\n\r\n  \n".utf8)]] as [[[UInt8]]] {
                let answer = await fixture.stream("/v1/cards/import", pieces)
                #expect(answer.text == #"{"imported":0,"updated":0,"failed":0,"errors":[]}"#)
            }
        }
    }

    @Test func aBodyThatBreaksOffIsNotAcknowledged() async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.stream("/v1/cards/import", [Array(Self.line("a").utf8)], isCut: true)
            #expect(answer.status == 400 && answer.code == "invalid_request")
            #expect(await fixture.send("GET", "/v1/cards/a").status == 404, "half a line is no line")
        }
    }

    @Test func itIsRefusedBeforeABodyIsRead() async throws {
        let reader = "pgk_reads-cards-00000000000000000000000"
        try await FacadeFixture.run(keys: [
            FacadeFixture.key(reader, named: "reader", scopes: [.cardsRead], programs: ["rides"])
        ]) { fixture in
            let body = [Array(Self.line("a").utf8)]
            #expect(await fixture.stream("/v1/cards/import", body, key: nil).code == "unauthenticated")
            #expect(await fixture.stream("/v1/cards/import", body, key: reader).code == "permission_denied")
            let both = FacadeFixture.bothPrograms
            #expect(await fixture.stream("/v1/cards/import", body, key: both).code == "program_required")
            for type in ["application/json", "text/csv", "application/x-ndjson; charset=latin1"] {
                let answer = await fixture.stream("/v1/cards/import", body, type: type)
                #expect(answer.status == 415 && answer.text.contains("application/x-ndjson"))
            }
            #expect(await fixture.stream("/v1/cards/import?x=1", body).status == 400)
            let type = "application/x-ndjson; charset=utf-8"
            #expect(await fixture.stream("/v1/cards/import", body, type: type).status == 200)
        }
    }

    @Test func aCardMayBeCalledImport() async throws {
        try await FacadeFixture.run { fixture in
            #expect(await fixture.makeCard("import").status == 201)
            #expect(await fixture.send("GET", "/v1/cards/import").json?["id"]?.string == "import")
            let options = await fixture.send("OPTIONS", "/v1/cards/import")
            #expect(options.header("Allow")?.contains("POST") == true)
            #expect(options.header("Allow")?.contains("DELETE") == true)
            #expect(await fixture.send("PATCH", "/v1/cards/import").status == 405)
            #expect(await fixture.send("POST", "/v1/cards/other").status == 405)
        }
    }
}
