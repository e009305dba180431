import CheckoutProvider
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("Whose a card is at Checkout.com, and whether it can be added")
struct CheckoutCardTests {
    private func provider(_ answer: UpstreamResponse) throws -> CheckoutProvider {
        try CheckoutHarness.provider(
            ScriptedTransport { request in
                request.url.hasSuffix("/connect/token") ? CheckoutHarness.tokenAnswer() : answer
            })
    }

    private func eligibility(_ answer: UpstreamResponse, _ wallet: Wallet = .applePay)
        async throws -> Eligibility
    {
        try await provider(answer).eligibility(
            of: CheckoutHarness.card, wallet: wallet, deadline: .now + .seconds(5))
    }

    @Test(
        arguments: [
            ("active", true, nil), ("ACTIVE", true, nil), ("inactive", false, "inactive"),
            ("suspended", false, "suspended"), ("Suspended", false, "suspended"), ("revoked", false, "revoked"),
            ("hibernating", nil, "hibernating"), ("two words", nil, nil), ("", nil, nil),
        ] as [(String, Bool?, String?)])
    func theStatusDecides(_ status: String, _ eligible: Bool?, _ reason: String?) async throws {
        for wallet in [Wallet.applePay, .googlePay] {
            let answer = try await eligibility(CheckoutHarness.cardAnswer(status), wallet)
            #expect(answer.eligible == eligible && answer.reason == reason)
            #expect(answer.primaryAccountIdentifier == nil)
            #expect(answer.manualProvisioning == ManualProvisioning(available: nil))
            #expect(answer.providerCardholderID == "crh_d3ozhf43pcq2xbldn2g45qnb44")
        }
    }

    @Test func theOwnerIsTheOneThatCheckoutNames() async throws {
        let other = "crh_aaaaaaaaaaaaaaaaaaaaaaaaaa"
        let provider = try provider(CheckoutHarness.cardAnswer(cardholder: other))
        let deadline = ContinuousClock.now + .seconds(5)
        #expect(try await provider.cardholderID(of: CheckoutHarness.card, deadline: deadline) == other)
        #expect(try await eligibility(CheckoutHarness.cardAnswer(cardholder: other)).providerCardholderID == other)
    }

    @Test(arguments: [
        #"{"id":"crd_1","status":"active"}"#, #"{"id":"crd_1","status":"active","cardholder_id":null}"#,
        #"{"id":"crd_1","status":"active","cardholder_id":7}"#, #"{"id":"crd_1","status":"active","cardholder_id":""}"#,
        #"{"id":"crd_1","status":"active","cardholder_id":"user_1"}"#,
        #"{"status":"active","cardholder_id":"crh_d3ozhf43pcq2xbldn2g45qnb44"}"#,
        #"{"id":"crd_1","cardholder_id":"crh_d3ozhf43pcq2xbldn2g45qnb44"}"#, "[]", "null",
    ])
    func aCardWithoutAnOwnerBreaksTheContract(_ body: String) async throws {
        let provider = try provider(.answer(200, body))
        do throws(ProvisioningError) {
            _ = try await provider.cardholderID(of: CheckoutHarness.card, deadline: .now + .seconds(5))
            Issue.record("it has an owner")
        } catch {
            #expect(error.code == .providerContractViolation && error.outcome == .unknown)
        }
    }

    @Test(arguments: [
        ("crd_fa6psq242dcd6fdn5gifcq1491", true), ("crd_fa6psq242dcd6fdn5gifcq149", false),
        ("crd_fa6psq242dcd6fdn5gifcq14911", false), ("crd_FA6psq242dcd6fdn5gifcq1491", false),
        ("crh_fa6psq242dcd6fdn5gifcq1491", false), ("fa6psq242dcd6fdn5gifcq1491", false),
    ])
    func onlyItsOwnCardIDsMatch(_ id: String, _ matches: Bool) {
        #expect(CheckoutProvider.descriptor.cardIDPattern.matches(id) == matches)
    }

    @Test func aBindingsCardholderIsOfCheckoutsForm() throws {
        let provider = try CheckoutHarness.provider()
        var binding = CheckoutHarness.card
        try provider.check(binding)
        binding.providerCardholderID = nil
        try provider.check(binding)
        for id in ["", "user_1", "crh_", "crh_D3ozhf43pcq2xbldn2g45qnb44", "crd_d3ozhf43pcq2xbldn2g45qnb44"] {
            binding.providerCardholderID = id
            do throws(ProvisioningError) {
                try provider.check(binding)
                Issue.record("\(id) was taken")
            } catch {
                #expect(error.code == .invalidRequest && error.pointer == "/provider_cardholder_id")
            }
        }
    }
}
