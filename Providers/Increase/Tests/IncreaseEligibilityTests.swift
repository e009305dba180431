import IncreaseProvider
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("Which of Increase's cards can be added")
struct IncreaseEligibilityTests {
    private func eligibility(_ members: String) async throws -> Eligibility {
        let body = #"{"id":"card_oubs0hwk5rn6knuecxg2","type":"card",\#(members)}"#
        let provider = try IncreaseHarness.provider(ScriptedTransport { _ in .answer(200, body) })
        return try await provider.eligibility(
            of: IncreaseHarness.card, wallet: .applePay, deadline: .now + .seconds(5))
    }

    @Test(
        arguments: [
            ("active", true, nil), ("disabled", false, "disabled"), ("canceled", false, "canceled"),
            ("resting", nil, "resting"), ("two words", nil, nil), ("", nil, nil),
        ] as [(String, Bool?, String?)])
    func theStatusDecides(_ status: String, _ eligible: Bool?, _ reason: String?) async throws {
        let answer = try await eligibility(#""status":"\#(status)""#)
        #expect(answer.eligible == eligible)
        #expect(answer.reason == reason)
        #expect(answer.primaryAccountIdentifier == nil)
    }

    @Test(
        arguments: [
            (#"{"digital_card_profile_id":"p","email":"a@b.example","phone":"+1"}"#, true, []),
            (#"{"digital_card_profile_id":"p","email":null,"phone":"+1"}"#, true, []),
            (#"{"digital_card_profile_id":null,"email":"a@b.example"}"#, true, ["digital_card_profile_id"]),
            (#"{"digital_card_profile_id":"p","email":"","phone":null}"#, false, ["phone", "email"]),
            ("null", false, ["phone", "email", "digital_card_profile_id"]),
            ("7", false, ["phone", "email", "digital_card_profile_id"]),
        ] as [(String, Bool, [String])])
    func byHandACardNeedsAContact(_ wallet: String, _ available: Bool, _ missing: [String]) async throws {
        let answer = try await eligibility(#""status":"active","digital_wallet":\#(wallet)"#)
        #expect(answer.manualProvisioning == ManualProvisioning(available: available, missing: missing))
    }
}
