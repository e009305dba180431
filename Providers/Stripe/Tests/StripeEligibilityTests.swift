import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import StripeProvider
import Testing

@Suite("Which of Stripe's cards can be added")
struct StripeEligibilityTests {
    private func eligibility(_ members: String, _ wallet: Wallet = .applePay) async throws -> Eligibility {
        let body = #"{"id":"ic_1GWQp6Invented","object":"issuing.card",\#(members)}"#
        let provider = try StripeHarness.provider(ScriptedTransport { _ in .answer(200, body) })
        return try await provider.eligibility(of: StripeHarness.card, wallet: wallet, deadline: .now + .seconds(5))
    }

    private func members(_ status: String, _ claim: String) -> String {
        #""status":"\#(status)","wallets":{"apple_pay":\#(claim),"google_pay":{"eligible":true},"primary_account_identifier":null}"#
    }

    @Test(
        arguments: [
            ("active", #"{"eligible":true,"ineligible_reason":null}"#, true, nil),
            ("inactive", #"{"eligible":true,"ineligible_reason":null}"#, false, "inactive"),
            ("canceled", #"{"eligible":true,"ineligible_reason":null}"#, false, "canceled"),
            ("canceled", #"{"eligible":false,"ineligible_reason":"missing_agreement"}"#, false, "canceled"),
            ("active", #"{"eligible":false,"ineligible_reason":"missing_agreement"}"#, false, "missing_agreement"),
            (
                "active", #"{"eligible":false,"ineligible_reason":"missing_cardholder_contact"}"#, false,
                "missing_cardholder_contact"
            ),
            ("active", #"{"eligible":false,"ineligible_reason":"unsupported_region"}"#, false, "unsupported_region"),
            ("active", #"{"eligible":false,"ineligible_reason":"moon_in_cancer"}"#, false, "moon_in_cancer"),
            ("active", #"{"eligible":false,"ineligible_reason":"Not a word."}"#, false, "card_ineligible"),
            ("active", #"{"eligible":false,"ineligible_reason":null}"#, false, "card_ineligible"),
            ("active", #"{"eligible":false}"#, false, "card_ineligible"),
            ("resting", #"{"eligible":true}"#, nil, "resting"),
            ("resting", #"{"eligible":false,"ineligible_reason":"unsupported_region"}"#, false, "unsupported_region"),
            ("two words", #"{"eligible":true}"#, nil, nil), ("active", "{}", nil, nil), ("active", "null", nil, nil),
            ("canceled", "null", false, "canceled"),
        ] as [(String, String, Bool?, String?)])
    func statusAndWalletDecideTogether(_ status: String, _ claim: String, _ eligible: Bool?, _ reason: String?)
        async throws
    {
        let answer = try await eligibility(members(status, claim))
        #expect(answer.eligible == eligible)
        #expect(answer.reason == reason)
    }

    @Test func eachWalletHasItsOwnAnswer() async throws {
        let members = members("active", #"{"eligible":false,"ineligible_reason":"missing_agreement"}"#)
        #expect(try await eligibility(members, .applePay).eligible == false)
        #expect(try await eligibility(members, .googlePay).eligible == true)
    }

    @Test(arguments: [#""status":"active""#, #""status":"active","wallets":null"#])
    func ofACardWithoutWalletsNothingIsClaimed(_ members: String) async throws {
        let answer = try await eligibility(members)
        #expect(answer.eligible == nil && answer.reason == nil && answer.primaryAccountIdentifier == nil)
    }

    /// H20: no identifier yet is none, and an empty one is handed on: the gateway tells it as null.
    @Test(
        arguments: [
            (#","primary_account_identifier":null"#, nil), ("", nil), (#","primary_account_identifier":"""#, ""),
            (#","primary_account_identifier":"V-3020-invented""#, "V-3020-invented"),
        ] as [(String, String?)])
    func h20TheIdentifierIsToldAsItIs(_ member: String, _ identifier: String?) async throws {
        let wallets = #"{"apple_pay":{"eligible":true},"google_pay":{"eligible":true}\#(member)}"#
        let answer = try await eligibility(#""status":"active","wallets":\#(wallets)"#)
        #expect(answer.eligible == true)
        #expect(answer.primaryAccountIdentifier == identifier)
    }

    /// H20: it changes with the first provisioning, so it is asked for every time.
    @Test func h20TheIdentifierIsNeverKept() async throws {
        let given = [nil, "V-1", "V-2"]
        let transport = ScriptedTransport(
            answers: given.map { identifier in
                let text = identifier.map { #""\#($0)""# } ?? "null"
                return .success(
                    .answer(
                        200,
                        #"{"object":"issuing.card","status":"active","wallets":{"primary_account_identifier":\#(text)}}"#
                    ))
            })
        let provider = try StripeHarness.provider(transport)
        for identifier in given {
            let answer = try await provider.eligibility(
                of: StripeHarness.card, wallet: .applePay, deadline: .now + .seconds(5))
            #expect(answer.primaryAccountIdentifier == identifier)
        }
        #expect(transport.requests.count == 3)
    }

    @Test(
        arguments: [
            (#"{"phone_number":"+1","email":"a@b.example"}"#, true, []),
            (#"{"phone_number":null,"email":"a@b.example"}"#, true, []), (#"{"phone_number":"+1"}"#, true, []),
            (#"{"phone_number":"","email":null}"#, false, ["phone", "email"]), ("{}", false, ["phone", "email"]),
            (#"{"phone_number":7,"email":[]}"#, false, ["phone", "email"]), (#""ich_1""#, nil, []), ("null", nil, []),
        ] as [(String, Bool?, [String])])
    func byHandACardNeedsAContact(_ cardholder: String, _ available: Bool?, _ missing: [String]) async throws {
        let answer = try await eligibility(#""status":"active","cardholder":\#(cardholder)"#)
        #expect(answer.manualProvisioning == ManualProvisioning(available: available, missing: missing))
    }

    @Test(arguments: [
        #""status":7"#, #""status":null"#, #""type":"virtual""#, #""status":"active","wallets":[]"#,
        #""status":"active","wallets":{"apple_pay":true}"#,
        #""status":"active","wallets":{"apple_pay":{"eligible":"yes"}}"#,
        #""status":"active","wallets":{"apple_pay":{"eligible":true},"primary_account_identifier":7}"#,
    ])
    func aCardThatIsNoneBreaksTheContract(_ members: String) async throws {
        let error = await #expect(throws: ProvisioningError.self) { try await eligibility(members) }
        #expect(error?.code == .providerContractViolation)
    }

    @Test func anotherObjectIsNoCard() async throws {
        let body = #"{"id":"ich_1","object":"issuing.cardholder","status":"active"}"#
        let provider = try StripeHarness.provider(ScriptedTransport { _ in .answer(200, body) })
        let error = await #expect(throws: ProvisioningError.self) {
            try await provider.eligibility(of: StripeHarness.card, wallet: .applePay, deadline: .now + .seconds(5))
        }
        #expect(error?.code == .providerContractViolation)
    }
}
