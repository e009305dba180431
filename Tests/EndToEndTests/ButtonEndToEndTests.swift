import CheckoutEmulator
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing
import ThalesEmulator

/// What the app's button should do, from the real gateway: cards of every processor, and what devices say.
@Suite(.serialized)
struct ButtonEndToEndTests {
    /// A house with every processor.
    private func with(_ body: (House) async throws -> Void) async throws {
        try await House.with(
            { network in
                [
                    StripeEmulator(json: JSONParser(), network: network),
                    CheckoutEmulator(json: JSONParser(), network: network), ThalesEmulator(json: JSONParser()),
                ]
            }, body)
    }

    private func register(_ card: EmulatedCard, at emulator: String, in house: House) async throws {
        let answer = try await house.rehearsal.register("card_1", as: card, at: "\(emulator)_demo")
        #expect(answer.status == 201, "\(answer.problemLine)")
    }

    private func ask(_ house: House, _ wallet: String, _ device: String) async throws -> GatewayAnswer {
        try await house.gateway.client.send(
            .post, "/v1/cards/card_1/wallet_button",
            SecretBytes(utf8: #"{"wallet":"\#(wallet)","device":\#(device)}"#))
    }

    /// Action, target and reason.
    private func button(_ house: House, _ wallet: String, _ device: String) async throws -> [String?] {
        let answer = try await ask(house, wallet, device)
        #expect(answer.status == 200, "\(answer.problemLine)")
        #expect(answer.json?["show"]?.bool == (answer.json?["action"]?.string != "none"))
        return ["action", "target", "reason"].map { answer.json?[$0]?.string }
    }

    /// T04: the nine cases of two passes, each with and without a paired watch.
    @Test func t04TwoPassesAndAWatchHaveTheirButton() async throws {
        let addToPhone = ["add", "phone", "phone_has_no_pass"]
        let activatePhone = ["activate", "phone", "phone_pass_requires_activation"]
        let activateWatch = ["activate", "watch", "watch_pass_requires_activation"]
        let both = ["none", nil, "both_have_passes"]
        let cases: [(phone: String, watch: String, unpaired: [String?], paired: [String?])] = [
            ("absent", "absent", addToPhone, addToPhone), ("absent", "activated", addToPhone, addToPhone),
            ("absent", "requires_activation", activateWatch, activateWatch),
            ("activated", "absent", ["none", nil, "no_watch_paired"], ["add_to_watch", "watch", "watch_has_no_pass"]),
            ("activated", "activated", both, both),
            ("activated", "requires_activation", activateWatch, activateWatch),
            ("requires_activation", "absent", activatePhone, activatePhone),
            ("requires_activation", "activated", activatePhone, activatePhone),
            ("requires_activation", "requires_activation", activatePhone, activatePhone),
        ]
        try await with { house in
            try await register(ThalesEmulator.card("sim_card_ok"), at: "thales-vault", in: house)
            for row in cases {
                for (isPaired, expected) in [(false, row.unpaired), (true, row.paired)] {
                    let device =
                        #"{"watch_paired":\#(isPaired),"local_pass":"\#(row.phone)","remote_pass":"\#(row.watch)"}"#
                    #expect(try await button(house, "apple_pay", device) == expected, "\(device)")
                }
            }
            // Thales is asked nothing: every bound card is eligible.
            #expect(house.sandbox.requestCount(of: "thales-vault") == 0)
        }
    }

    /// A pass that waits is activated with a code for its token; where the processor makes none, both answers say so.
    @Test func activateLeadsToACode() async throws {
        try await with { house in
            func activate() async throws -> (hasOne: Bool?, credential: GatewayAnswer) {
                let answer = try await ask(house, "apple_pay", #"{"local_pass":"requires_activation"}"#)
                #expect(answer.json?["action"]?.string == "activate", "\(answer.problemLine)")
                let credential = try await house.gateway.client.send(
                    .post, "/v1/cards/card_1/wallet_credentials",
                    SecretBytes(utf8: #"{"purpose":"activate","wallet":"apple_pay","token":"token-7"}"#))
                return (answer.json?["facts"]?["activation_credential"]?.bool, credential)
            }
            try await register(ThalesEmulator.card("sim_card_ok"), at: "thales-vault", in: house)
            let thales = try await activate()
            #expect(thales.hasOne == true && thales.credential.status == 201)
            #expect(thales.credential.json?["token"]?.string?.split(separator: ".").count == 3)
            for name in ["stripe", "checkout", "increase"] {
                #expect(try await house.gateway.client.send(.delete, "/v1/cards/card_1").status == 204)
                let emulator = try #require(house.sandbox.emulator(named: name))
                try await register(emulator.demoCard, at: name, in: house)
                let other = try await activate()
                #expect(other.hasOne == false)
                #expect(other.credential.status == 400 && other.credential.code == "operation_unsupported")
                #expect(other.credential.json?["provider"]?["id"]?.string == name)
            }
        }
    }

    @Test func stripesEligibilityAndTheDeviceBothHaveToAgree() async throws {
        try await with { house in
            try await register(EmulatedCard(id: "ic_ok", last4: "4242", network: .visa), at: "stripe", in: house)
            #expect(
                try await button(house, "apple_pay", #"{"can_add":true}"#) == ["add", "phone", "device_can_add"])
            #expect(
                try await button(house, "apple_pay", #"{"can_add":false}"#) == ["none", nil, "device_cannot_add"])
            let tokens = [
                ("", ["add", "phone", "no_token_of_card"]),
                (#"{"last4":"4242","state":"TOKEN_STATE_ACTIVE"}"#, ["none", nil, "token_active"]),
                (#"{"last4":"4242","state":3}"#, ["resume_verification", "phone", "token_needs_verification"]),
                (#"{"last4":"4243","state":5}"#, ["add", "phone", "no_token_of_card"]),
            ]
            for (token, expected) in tokens {
                #expect(try await button(house, "google_pay", #"{"tokens":[\#(token)]}"#) == expected, "\(token)")
            }
        }
    }

    /// What Stripe says of a card, and whether it says anything.
    @Test(arguments: [
        ("ic_missingagreement", "missing_agreement", false as Bool?),
        ("ic_nocontact", "missing_cardholder_contact", false),
        ("ic_inactive", "inactive", false), ("ic_unheardof", "eligibility_unknown", nil),
        ("ic_forbidden", "eligibility_unknown", nil),
    ])
    func aCardOfStripesThatIsNotEligibleIsHidden(_ card: String, _ reason: String, _ eligible: Bool?) async throws {
        try await with { house in
            try await register(EmulatedCard(id: card, last4: "4242", network: .visa), at: "stripe", in: house)
            let answer = try await ask(house, "apple_pay", #"{"can_add":true}"#)
            #expect(answer.status == 200 && answer.json?["show"]?.bool == false)
            #expect(answer.json?["reason"]?.string == reason)
            #expect(answer.json?["facts"]?["eligible"]?.bool == eligible)
            #expect(answer.json?["facts"]?["can_add"]?.bool == true)
        }
    }

    /// Both platforms' words, as Checkout.com's SDK gives them.
    @Test func checkoutsWordsHaveTheirButton() async throws {
        let add = ["add", "phone", "not_digitized"]
        let verify = ["resume_verification", "phone", "verification_pending"]
        let words: [(word: String, expected: [String?])] = [
            ("DIGITIZED", ["none", nil, "digitized"]), ("NOT_DIGITIZED", add), ("PENDING_IDV", verify),
            ("DIGITIZATION_IN_PROGRESS", ["none", nil, "digitization_in_progress"]),
            ("digitized", ["none", nil, "digitized"]), ("notDigitized", add), ("pendingIDVLocal", verify),
            ("pendingIDVRemote", ["resume_verification", "watch", "verification_pending"]),
            ("HALF_DIGITIZED", ["none", nil, "digitization_state_unknown"]),
        ]
        try await with { house in
            let checkout = try #require(house.sandbox.emulator(named: "checkout"))
            try await register(checkout.demoCard, at: "checkout", in: house)
            for wallet in ["apple_pay", "google_pay"] {
                for (word, expected) in words {
                    let device = #"{"digitization_state":"\#(word)"}"#
                    #expect(try await button(house, wallet, device) == expected, "\(wallet) \(word)")
                }
            }
            // An app that was built for Checkout.com's SDK asks after the card has moved to another processor.
            #expect(try await house.gateway.client.send(.delete, "/v1/cards/card_1").status == 204)
            try await house.register("card_1")
            let moved = try await button(house, "apple_pay", #"{"digitization_state":"notDigitized"}"#)
            #expect(moved == add)
        }
    }

    @Test(arguments: [
        ("crd_suspended00000000000000000", "suspended", "suspended"),
        ("crd_unheardof00000000000000000", "eligibility_unknown", nil),
    ])
    func aCardOfCheckoutsThatIsNotActiveIsHidden(_ card: String, _ reason: String, _ word: String?) async throws {
        try await with { house in
            let demo = try #require(house.sandbox.emulator(named: "checkout")).demoCard
            let card = EmulatedCard(id: card, cardholderID: demo.cardholderID, last4: demo.last4, network: demo.network)
            try await register(card, at: "checkout", in: house)
            let answer = try await ask(house, "google_pay", #"{"digitization_state":"NOT_DIGITIZED"}"#)
            #expect(answer.json?["show"]?.bool == false && answer.json?["reason"]?.string == reason)
            #expect(answer.json?["facts"]?["digitization_state"]?.string == "NOT_DIGITIZED")
            if let word { #expect(answer.json?["facts"]?["eligibility_reason"]?.string == word) }
        }
    }

    /// X02: both facts stand, whichever decides.
    @Test func x02ADeviceThatSaysNoBesideAFreeWatchIsToldWithBoth() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let device = #"{"can_add":false,"watch_paired":true,"local_pass":"activated","remote_pass":"absent"}"#
            let answer = try await ask(house, "apple_pay", device)
            #expect(answer.json?["show"]?.bool == false && answer.json?["reason"]?.string == "device_cannot_add")
            let facts = answer.json?["facts"]
            #expect(facts?["can_add"]?.bool == false && facts?["watch_free"]?.bool == true)
            #expect(facts?["eligible"]?.bool == true && facts?["provider"]?.string == "increase")
        }
    }

    /// Increase says no to a card that is not active, and a processor that is down says nothing.
    @Test func increasesAnswerDecidesWhileThereIsOne() async throws {
        try await House.with { house in
            try await house.register("card_1")
            #expect(try await button(house, "google_pay", #"{"tokens":[]}"#) == ["add", "phone", "no_token_of_card"])
            var fault = ScriptedFault()
            fault.status = 503
            house.sandbox.script(fault, for: "increase")
            #expect(try await button(house, "google_pay", #"{"tokens":[]}"#) == ["none", nil, "eligibility_unknown"])
            #expect(try await button(house, "google_pay", #"{"tokens":[]}"#) == ["add", "phone", "no_token_of_card"])
            #expect(try await house.gateway.client.send(.delete, "/v1/cards/card_1").status == 204)
            try await house.register("card_1", as: "sandbox_card_disabled")
            #expect(try await button(house, "apple_pay", #"{"can_add":true}"#) == ["none", nil, "disabled"])
        }
    }
}
