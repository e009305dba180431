import IncreaseEmulator
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// The calls, as the page describes them.
struct EmulatorCallsTests {
    let fixture = EmulatorFixture()

    @Test func googleInAppGivesBothCardsWithASession() async throws {
        let answer = await fixture.push(EmulatorFixture.googleBody())
        #expect(answer.status == 200 && answer.json?["channel"]?.string == "google_pay_in_app")
        let cards = try #require(answer.json?["google_pay_in_app"])
        let token = try #require(cards["token_service_provider_opaque_payment_card"]?.secretText)
        let account = try #require(cards["google_opaque_payment_card"]?.secretText)
        #expect(try fixture.network.open(token, as: .tokenServiceProvider).cardLast4 == "1881")
        #expect(try fixture.network.open(account, as: .googleAccount).cardholderName == "Ian Crease")
        #expect(throws: DeviceFailure.self) { try fixture.network.open(token, as: .googleAccount) }
    }

    @Test func googleInAppWithoutASessionGivesTheTokenCardOnly() async {
        let answer = await fixture.push(
            """
            {"channel":"google_pay_in_app","cardholder_name":"Ian Crease","google_pay_in_app":{\
            "stable_hardware_identifier":"h","wallet_identifier":"w"}}
            """)
        let cards = answer.json?["google_pay_in_app"]?.members ?? []
        #expect(cards.map(\.name) == ["token_service_provider_opaque_payment_card"])
    }

    @Test(arguments: [
        ("", ["google_opaque_payment_card"]),
        (#","public_device_identifier":"d""#, ["google_opaque_payment_card"]),
        (
            #","public_device_identifier":"d","public_wallet_identifier":"w""#,
            ["token_service_provider_opaque_payment_card", "google_opaque_payment_card"]
        ),
    ])
    func googleWebGivesWhatTheSessionAllows(members: String, cards: [String]) async {
        let answer = await fixture.push(
            """
            {"channel":"google_pay_web","cardholder_name":"Ian Crease",\
            "google_pay_web":{"server_session_identifier":"s"\(members)}}
            """)
        #expect(answer.status == 200)
        #expect(answer.json?["google_pay_web"]?.members?.map(\.name) == cards)
    }

    @Test func aSessionWorksOnce() async {
        #expect(await fixture.push(EmulatorFixture.googleBody()).status == 200)
        let again = await fixture.push(EmulatorFixture.googleBody())
        #expect(again.status == 400 && again.fields == ["google_pay_in_app.server_session_identifier"])
    }

    @Test(arguments: [
        (#"{"channel":"apple_pay","cardholder_name":"I"}"#, ["channel"]),
        (#"{"channel":"google_pay_web","google_pay_web":{"server_session_identifier":"s"}}"#, ["cardholder_name"]),
        (#"{"channel":"google_pay_web","cardholder_name":"I"}"#, ["google_pay_web"]),
        (
            #"{"channel":"google_pay_web","cardholder_name":"I","google_pay_web":{}}"#,
            ["google_pay_web.server_session_identifier"]
        ),
        (
            #"{"channel":"google_pay_web","cardholder_name":"I","google_pay_web":{"server_session_identifier":""}}"#,
            ["google_pay_web.server_session_identifier"]
        ),
        (
            #"{"channel":"google_pay_in_app","cardholder_name":"I","google_pay_in_app":{"wallet_identifier":1}}"#,
            ["google_pay_in_app.stable_hardware_identifier", "google_pay_in_app.wallet_identifier"]
        ),
        (
            #"{"channel":"google_pay_web","cardholder_name":"I","google_pay_in_app":{},"google_pay_web":{"server_session_identifier":"s","x":1}}"#,
            ["google_pay_in_app", "google_pay_web.x"]
        ),
        (
            #"{"channel":"apple_pay_in_app","cardholder_name":"I","apple_pay_in_app":{"certificates":["AAAA"],"nonce":"AA","nonce_signature":"AAAA"}}"#,
            [
                "apple_pay_in_app.certificates", "apple_pay_in_app.certificates.0", "apple_pay_in_app.nonce",
            ]
        ),
    ])
    func whatDoesNotBelongIsNamed(body: String, fields: [String]) async {
        let answer = await fixture.push(body)
        #expect(answer.status == 400 && answer.type == "invalid_parameters_error")
        #expect(answer.fields == fields)
    }

    @Test func tokensAreListedNewestFirstAndInPages() async {
        for index in 1...3 {
            _ = await fixture.push(EmulatorFixture.googleBody(session: "s\(index)"), card: "sandbox_card_ok\(index)")
        }
        let first = await fixture.get("/digital_wallet_tokens", query: "limit=2")
        let data = first.json?["data"]?.elements ?? []
        #expect(data.map { $0["card_id"]?.string } == ["sandbox_card_ok3", "sandbox_card_ok2"])
        let cursor = first.json?["next_cursor"]?.string ?? ""
        let second = await fixture.get("/digital_wallet_tokens", query: "limit=2&cursor=\(cursor)")
        #expect(second.json?["data"]?.elements?.map { $0["card_id"]?.string } == ["sandbox_card_ok1"])
        #expect(second.json?["next_cursor"]?.isNull == true)
        let id = data.first?["id"]?.string ?? ""
        let one = await fixture.get("/digital_wallet_tokens/\(id)")
        #expect(one.json?["token_requestor"]?.string == "google_pay" && one.json?["status"]?.string == "active")
        #expect(one.json?["device"]?["identifier"]?.string == "hardware-1")
        #expect(await fixture.get("/digital_wallet_tokens/other").type == "object_not_found_error")
    }

    @Test func tokensAreFoundByTime() async {
        _ = await fixture.push(EmulatorFixture.googleBody())
        let since = await fixture.get(
            "/digital_wallet_tokens", query: "created_at.on_or_after=2020-01-31T00%3A00%3A00Z")
        #expect(since.json?["data"]?.elements?.count == 1)
        let until = await fixture.get("/digital_wallet_tokens", query: "created_at.before=2020-01-31T00%3A00%3A00Z")
        #expect(until.json?["data"]?.elements?.isEmpty == true)
    }

    @Test(arguments: ["card=x", "limit=0", "limit=101", "created_at.after=yesterday", "cursor=x"])
    func unknownParametersOfAListAreRefused(query: String) async {
        let answer = await fixture.get("/digital_wallet_tokens", query: query)
        #expect(answer.status == 400 && answer.fields.count == 1)
    }

    @Test func aCardThatWasMadeCanBeProvisioned() async throws {
        let body = #"{"account_id":"sandbox_account_1","description":"Mine","digital_wallet":{"email":"a@b.example"}}"#
        let made = await fixture.post("/cards", SecretBytes(utf8: body), key: "key-1")
        let id = try #require(made.json?["id"]?.string)
        #expect(made.status == 200 && id.hasPrefix("sandbox_card_"))
        #expect(made.json?["idempotency_key"]?.string == "key-1")
        #expect(await fixture.get("/cards/\(id)").json?["description"]?.string == "Mine")
        #expect(await fixture.push(EmulatorFixture.googleBody(), card: id).status == 200)
        #expect(await fixture.post("/cards", SecretBytes(utf8: "{}")).fields == ["account_id"])
    }
}
