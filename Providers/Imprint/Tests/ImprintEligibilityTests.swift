import ImprintProvider
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("Which of Imprint's payment methods can be added")
struct ImprintEligibilityTests {
    private func eligibility(_ members: String, _ wallet: Wallet = .applePay) async throws -> Eligibility {
        let body = #"{"id":"3F0C2D1A-9B7E-4C55-8A21-6D0E94B7F312",\#(members)}"#
        let provider = try ImprintHarness.provider(ScriptedTransport { _ in .answer(200, body) })
        return try await provider.eligibility(of: ImprintHarness.card, wallet: wallet, deadline: .now + .seconds(5))
    }

    @Test(
        arguments: [
            ("CARD", "ACTIVE", true, nil), ("CARD", "INACTIVE", false, "INACTIVE"),
            ("CARD", "CANCELED", false, "CANCELED"), ("CARD", "DORMANT", nil, "DORMANT"),
            ("CARD", "active", nil, "active"), ("CARD", "two words", nil, nil), ("CARD", "", nil, nil),
            ("BANK_ACCOUNT", "ACTIVE", false, "BANK_ACCOUNT"), ("LOAN", "DORMANT", false, "LOAN"),
            ("WISH", "ACTIVE", nil, "WISH"), ("WISH", "CANCELED", false, "CANCELED"),
        ] as [(String, String, Bool?, String?)])
    func typeAndStatusDecide(_ type: String, _ status: String, _ eligible: Bool?, _ reason: String?) async throws {
        for wallet in [Wallet.applePay, .googlePay] {
            let answer = try await eligibility(#""type":"\#(type)","status":"\#(status)""#, wallet)
            #expect(answer.eligible == eligible)
            #expect(answer.reason == reason)
        }
    }

    /// H20: the account identifier is Imprint's to tell, and it tells none: `pan_reference_id` is not known to be it.
    @Test func h20NoAccountIdentifierIsMadeUp() async throws {
        let token = #"{"type":"APPLE_WALLET","token":"t","pan_reference_id":"V-1","created_at":"2026-11-30T12:00:00Z"}"#
        let answer = try await eligibility(#""type":"CARD","status":"ACTIVE","card":{"tokens":[\#(token)]}"#)
        #expect(answer.primaryAccountIdentifier == nil)
        #expect(answer.manualProvisioning == ManualProvisioning(available: nil))
    }

    @Test(arguments: [
        "\"network\":\"\"", "\"network\":null", "\"network\":\"MASTERCARD\"", "\"last4\":7", "\"tokens\":{}",
    ])
    func whatElseTheCardShowsIsNoMatter(_ member: String) async throws {
        let answer = try await eligibility(#""type":"CARD","status":"ACTIVE","card":{\#(member)}"#)
        #expect(answer == Eligibility(eligible: true))
    }

    /// P01: number and code are shown to partners that may see them. Nothing of them gets past the adapter.
    @Test func theCardsNumberIsDroppedOnReceipt() async throws {
        let number = ["4242", "4242", "4242", "4242"].joined()
        let details = #""pci_details":{"pan":"\#(number)","cvv":"cvv-canary"}"#
        let transport = ScriptedTransport { request in
            request.url.hasSuffix("/apple_pay")
                ? .answer(
                    400,
                    #"{"error":{"code":"\#(number)","type":"\#(number)","message":"\#(number)"},"card":{\#(details)}}"#,
                    headers: [("x-request-id", number)])
                : .answer(
                    200,
                    #"{"id":"\#(number)","type":"CARD","status":"\#(number)","card":{\#(details),"tokens":[{"type":"APPLE_WALLET","token":"\#(number)","created_at":"2026-11-30T12:00:00Z"}]}}"#
                )
        }
        let provider = try ImprintHarness.provider(transport)
        var shown = ""
        dump(
            try await provider.eligibility(
                of: ImprintHarness.card, wallet: .applePay, deadline: .now + .seconds(5)), to: &shown)
        dump(
            try await provider.tokens(
                of: ImprintHarness.card, createdFrom: Timestamp(seconds: 0), deadline: .now + .seconds(5)), to: &shown)
        do {
            _ = try await provider.provision(ImprintHarness.request(.applePay))
        } catch {
            dump(error, to: &shown)
        }
        dump(provider, to: &shown)
        #expect(shown.contains("providerRejected") || shown.contains("provider_rejected"))
        #expect(!shown.contains(number) && !shown.contains("cvv-canary"))
    }
}
