import HTTPServer
import ProviderKit
import Provisioning
import Testing

@Suite struct ButtonRouteTests {
    private static let path = "/v1/cards/c1/wallet_button"

    /// The answer to a question about a card that is there.
    private func ask(_ body: String, connection: String = "main") async throws -> Answer {
        var answer: Answer?
        try await FacadeFixture.run { fixture in
            #expect(await fixture.makeCard("c1", connection: connection).status == 201)
            answer = await fixture.send("POST", Self.path, body: body)
        }
        return try #require(answer)
    }

    @Test func tellsWhatToDoAndBothFactsThatDisagree() async throws {
        let answer = try await ask(
            """
            {"wallet": "apple_pay", "device": {"can_add": false, "watch_paired": true, "local_pass": "activated",
             "remote_pass": "absent"}}
            """)
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
        #expect(
            answer.text == """
                {"object":"wallet_button","show":false,"action":"none","target":null,"reason":"device_cannot_add",\
                "facts":{"provider":"scripted","connection":"main","eligible":true,"eligibility_reason":null,\
                "activation_credential":false,"can_add":false,"watch_paired":true,"watch_free":true,\
                "local_pass":"activated","remote_pass":"absent","digitization_state":null,"tokens":null,\
                "other_tokens":null}}
                """)
    }

    @Test func tellsTheTokensOfTheCardAsTheyWereReported() async throws {
        let answer = try await ask(
            """
            {"wallet": "google_pay", "device": {"tokens": [{"last4": "4242", "state": 3},
             {"last4": "4242", "state": "TOKEN_STATE_ACTIVE"}, {"last4": "4242", "state": "TOKEN_STATE_FROZEN"},
             {"last4": "1881", "state": 5}]}}
            """)
        #expect(answer.json?["show"]?.bool == true && answer.json?["action"]?.string == "resume_verification")
        #expect(answer.json?["target"]?.string == "phone")
        #expect(
            answer.text.contains(
                """
                "tokens":[{"last4":"4242","state":3,"name":"TOKEN_STATE_NEEDS_IDENTITY_VERIFICATION"},\
                {"last4":"4242","state":"TOKEN_STATE_ACTIVE","name":"TOKEN_STATE_ACTIVE"},\
                {"last4":"4242","state":"TOKEN_STATE_FROZEN","name":null}],"other_tokens":1
                """))
    }

    /// Every shape is taken for every card, and a null is as if it were not there.
    @Test(arguments: [
        (#"{"wallet":"apple_pay","device":{"can_add":true}}"#, "add", "device_can_add"),
        (#"{"wallet":"apple_pay","device":{"can_add":true,"watch_paired":true}}"#, "add", "device_can_add"),
        (#"{"wallet":"google_pay","device":{"can_add":true}}"#, "add", "device_can_add"),
        (#"{"wallet":"google_pay","device":{"tokens":[]}}"#, "add", "no_token_of_card"),
        (#"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","state":5.0}]}}"#, "none", "token_active"),
        (#"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","state":0}]}}"#, "none", "token_state_unknown"),
        (#"{"wallet":"google_pay","device":{"digitization_state":"ANYTHING"}}"#, "none", "digitization_state_unknown"),
        (#"{"wallet":"apple_pay","device":{"watch_paired":false}}"#, "add", "phone_has_no_pass"),
        (
            #"{"wallet":"apple_pay","device":{"watch_paired":true,"local_pass":"deactivated","remote_pass":null}}"#,
            "add_to_watch", "watch_has_no_pass"
        ),
        (
            #"{"wallet":"apple_pay","device":{"local_pass":"requires_activation","tokens":null}}"#, "activate",
            "phone_pass_requires_activation"
        ),
        (#"{"wallet":"apple_pay"}"#, "none", "device_unreported"),
        (#"{"wallet":"apple_pay","device":null}"#, "none", "device_unreported"),
        (#"{"wallet":"google_pay","device":{}}"#, "none", "device_unreported"),
    ])
    func everyShapeHasItsAnswer(_ body: String, _ action: String, _ reason: String) async throws {
        let answer = try await ask(body)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.json?["action"]?.string == action && answer.json?["reason"]?.string == reason)
        #expect(answer.json?["show"]?.bool == (action != "none"))
        #expect(answer.json?["target"]?.isNull == (action == "none"))
    }

    @Test(arguments: [
        ("{}", ["/wallet"]), (#"{"wallet":null,"device":{"can_add":true}}"#, ["/wallet"]),
        (#"{"wallet":"garmin_pay"}"#, ["/wallet"]), (#"{"wallet":1}"#, ["/wallet"]),
        (#"{"wallet":"apple_pay","wallet":"apple_pay"}"#, ["/wallet"]),
        (#"{"wallet":"apple_pay","device":[]}"#, ["/device"]), (#"{"wallet":"apple_pay","devise":{}}"#, ["/devise"]),
        (#"{"wallet":"apple_pay","cardholder":{"id":"ch_c1"}}"#, ["/cardholder"]),
        (#"{"wallet":"apple_pay","can_add":true}"#, ["/can_add"]),
        (#"{"wallet":"apple_pay","device":{"canAdd":true}}"#, ["/device/canAdd"]),
        (
            #"{"wallet":"apple_pay","device":{"can_add":"yes","watch_paired":1}}"#,
            ["/device/can_add", "/device/watch_paired"]
        ),
        (
            #"{"wallet":"apple_pay","device":{"local_pass":"requiresActivation","remote_pass":true}}"#,
            ["/device/local_pass", "/device/remote_pass"]
        ),
        // Members that the wallet does not need are checked as well.
        (#"{"wallet":"google_pay","device":{"can_add":true,"local_pass":"there"}}"#, ["/device/local_pass"]),
        (#"{"wallet":"google_pay","device":{"digitization_state":5}}"#, ["/device/digitization_state"]),
        (#"{"wallet":"google_pay","device":{"digitization_state":""}}"#, ["/device/digitization_state"]),
        (#"{"wallet":"google_pay","device":{"tokens":{}}}"#, ["/device/tokens"]),
        (#"{"wallet":"google_pay","device":{"tokens":["4242"]}}"#, ["/device/tokens/0"]),
        (
            #"{"wallet":"google_pay","device":{"tokens":[{}]}}"#,
            ["/device/tokens/0/last4", "/device/tokens/0/state"]
        ),
        (
            #"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","state":5},{"last4":"٤٢٤٢","state":[]}]}}"#,
            ["/device/tokens/1/last4"]
        ),
        (
            #"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","state":true}]}}"#,
            ["/device/tokens/0/state"]
        ),
        (
            #"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","state":5.5}]}}"#,
            ["/device/tokens/0/state"]
        ),
        (
            #"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","state":-9223372036854775809}]}}"#,
            ["/device/tokens/0/state"]
        ),
        (
            #"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","token_state":5}]}}"#,
            ["/device/tokens/0/token_state", "/device/tokens/0/state"]
        ),
    ])
    func aMemberThatIsWrongIsNamed(_ body: String, _ pointers: [String]) async throws {
        let answer = try await ask(body)
        #expect(answer.status == 400 && answer.code == "invalid_request", "\(answer.text)")
        #expect(answer.pointers == pointers)
        #expect(answer.json?["outcome"]?.isNull == true)
    }

    @Test func whatWasMeantIsSaid() async throws {
        let hints = [
            (#"{"wallet":"apple_pay","can_add":true}"#, "did you mean `/device/can_add`?"),
            (#"{"wallet":"apple_pay","device":{"canAdd":true}}"#, "did you mean `can_add`?"),
            (
                #"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","state":5,"tokenState":5}]}}"#,
                "did you mean `state`?"
            ),
            (
                #"{"wallet":"apple_pay","device":{"local_pass":"there"}}"#,
                "`absent`, `activated`, `requires_activation`"
            ),
        ]
        for (body, hint) in hints {
            let answer = try await ask(body)
            #expect(answer.details.first?.contains(hint) == true, "\(answer.details)")
        }
    }

    @Test func aListOfTokensHasAnEnd() async throws {
        let token = #"{"last4":"1881","state":5}"#
        for (count, status) in [(64, 200), (65, 400)] {
            let tokens = Array(repeating: token, count: count).joined(separator: ",")
            let answer = try await ask(#"{"wallet":"google_pay","device":{"tokens":[\#(tokens)]}}"#)
            #expect(answer.status == status)
            #expect(answer.pointers == (status == 200 ? [] : ["/device/tokens"]))
        }
    }

    /// Facts end in logs: a word that is none, or may be a card number, is not told back.
    @Test(arguments: ["4111111111111111", "two words", "état"])
    func aTextThatIsNoWordIsNotToldBack(_ text: String) async throws {
        let answer = try await ask(#"{"wallet":"google_pay","device":{"digitization_state":"\#(text)"}}"#)
        #expect(answer.json?["reason"]?.string == "digitization_state_unknown")
        #expect(answer.json?["facts"]?["digitization_state"]?.isNull == true && !answer.text.contains(text))
        let token = try await ask(
            #"{"wallet":"google_pay","device":{"tokens":[{"last4":"4242","state":"\#(text)"}]}}"#)
        #expect(token.json?["reason"]?.string == "token_state_unknown" && !token.text.contains(text))
        let plain = try await ask(#"{"wallet":"google_pay","device":{"digitization_state":"HALF-WAY_2.0"}}"#)
        #expect(plain.json?["facts"]?["digitization_state"]?.string == "HALF-WAY_2.0")
    }

    @Test func aProcessorThatFailsHidesTheButton() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            fixture.provider.fail(with: ProvisioningError(.providerUnavailable, outcome: .notSent))
            let answer = await fixture.send(
                "POST", Self.path, body: #"{"wallet":"apple_pay","device":{"can_add":true}}"#)
            #expect(answer.status == 200 && answer.json?["show"]?.bool == false)
            #expect(answer.json?["reason"]?.string == "eligibility_unknown")
            #expect(answer.json?["facts"]?["eligible"]?.isNull == true)
            #expect(answer.json?["facts"]?["eligibility_reason"]?.string == "provider_unavailable")
        }
    }

    /// What can be activated is activated with a credential, where the serving provider has one.
    @Test func activateLeadsToACredential() async throws {
        let body = #"{"wallet":"apple_pay","device":{"local_pass":"requires_activation"}}"#
        for (connection, hasOne) in [("sdk", true), ("main", false)] {
            try await FacadeFixture.run { fixture in
                _ = await fixture.makeCard("c1", connection: connection)
                let button = await fixture.send("POST", Self.path, body: body)
                #expect(button.json?["action"]?.string == "activate" && button.json?["show"]?.bool == true)
                #expect(button.json?["facts"]?["activation_credential"]?.bool == hasOne)
                let credential = await fixture.send(
                    "POST", "/v1/cards/c1/wallet_credentials",
                    body: #"{"purpose":"activate","wallet":"apple_pay","token":"t1"}"#)
                #expect(credential.status == (hasOne ? 201 : 400))
                #expect(credential.code == (hasOne ? nil : "operation_unsupported"))
            }
        }
    }

    @Test func whoMayReadCardsMayAsk() async throws {
        let body = #"{"wallet":"apple_pay","device":{"can_add":true}}"#
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            _ = await fixture.makeCard("c2", program: "travel")
            // The key of one program asks for a card of the other, and for one that there is not.
            let foreign = await fixture.send("POST", "/v1/cards/c2/wallet_button", body: body)
            let unknown = await fixture.send("POST", "/v1/cards/c9/wallet_button", body: body)
            for answer in [foreign, unknown] { #expect(answer.status == 404 && answer.code == "card_not_found") }
            let samsung = await fixture.send("POST", Self.path, body: #"{"wallet":"samsung_pay"}"#)
            #expect(samsung.status == 400 && samsung.code == "wallet_unsupported")
            #expect(await fixture.send("POST", "\(Self.path)?wallet=apple_pay", body: body).pointers == ["/wallet"])
            #expect(await fixture.send("GET", Self.path).header("Allow") == "POST, OPTIONS")
        }
    }

    /// A question may be asked again under any key: nothing is kept of it.
    @Test func anIdempotencyKeyMeansNothing() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let key = [(name: "idempotency-key", value: "k1")]
            for (canAdd, show) in [(true, true), (false, false)] {
                let answer = await fixture.send(
                    "POST", Self.path, headers: key, body: #"{"wallet":"apple_pay","device":{"can_add":\#(canAdd)}}"#)
                #expect(answer.status == 200 && answer.json?["show"]?.bool == show)
            }
            #expect(await fixture.send("GET", "/v1/provisionings").json?["data"]?.elements?.isEmpty == true)
        }
    }
}
