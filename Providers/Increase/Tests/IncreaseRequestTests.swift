import IncreaseProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("What Increase is asked")
struct IncreaseRequestTests {
    private func body(_ change: (inout ProvisioningRequest) -> Void, _ wallet: Wallet, _ channel: WalletChannel)
        async throws -> String
    {
        let transport = ScriptedTransport(answers: [])
        var request = try IncreaseHarness.request(wallet, channel)
        change(&request)
        _ = try? await IncreaseHarness.provider(transport).provision(request)
        return try #require(transport.requests.first?.body?.revealText())
    }

    @Test func theSeedsOrderIsKept() async throws {
        let body = try await body({ _ in }, .applePay, .inApp)
        #expect(
            body == """
                {"channel":"apple_pay_in_app","cardholder_name":"Ian Crease","apple_pay_in_app":{"certificates":\
                [{"certificate":"aW52ZW50ZWQgbGVhZiBjZXJ0aWZpY2F0ZQ=="},\
                {"certificate":"aW52ZW50ZWQgc3ViLUNBIGNlcnRpZmljYXRl"}],"nonce":"++++AP8Q",\
                "nonce_signature":"aW52ZW50ZWQgbm9uY2Ugc2lnbmF0dXJl"}}
                """)
    }

    @Test func theSessionIsLeftOutInAppWhenItWasNotGiven() async throws {
        let body = try await body(
            {
                $0.handshake = .googlePay(
                    GooglePayHandshake(walletID: SecretText("w"), deviceID: SecretText("d"), serverSessionID: nil))
            }, .googlePay, .inApp)
        #expect(body.contains(#""google_pay_in_app":{"stable_hardware_identifier":"d","wallet_identifier":"w"}"#))
    }

    @Test func thePublicIdentifiersAreLeftOutOnTheWebWhenTheyWereNotGiven() async throws {
        let body = try await body(
            {
                $0.handshake = .googlePay(
                    GooglePayHandshake(walletID: nil, deviceID: nil, serverSessionID: SecretText("s")))
            }, .googlePay, .web)
        #expect(body.contains(#""google_pay_web":{"server_session_identifier":"s"}"#))
    }

    @Test func aNameInAnyScriptIsSentAsItIs() async throws {
        let body = try await body({ $0.cardholderName = "Zoë \"Z\" Čapek/李" }, .applePay, .inApp)
        #expect(body.contains(#""cardholder_name":"Zoë \"Z\" Čapek/李""#))
    }

    @Test func withoutATraceNoTraceIsSent() async throws {
        let transport = ScriptedTransport(answers: [])
        var request = try IncreaseHarness.request(.applePay)
        request.traceparent = nil
        _ = try? await IncreaseHarness.provider(transport).provision(request)
        let names = try #require(transport.requests.first).headers.map { $0.name.lowercased() }
        #expect(names.sorted() == ["accept", "authorization", "content-type", "idempotency-key"])
    }

    @Test func aHandshakeOfAnotherWalletIsRefused() async throws {
        let transport = ScriptedTransport(answers: [])
        let provider = try IncreaseHarness.provider(transport)
        var request = try IncreaseHarness.request(.applePay)
        request.handshake = try IncreaseHarness.request(.googlePay).handshake
        await #expect(throws: ProvisioningError(.handshakeInvalid, outcome: .notSent)) {
            try await provider.provision(request)
        }
        request.wallet = .samsungPay
        await #expect(throws: ProvisioningError(.walletUnsupported, outcome: .notSent)) {
            try await provider.provision(request)
        }
        #expect(transport.requests.isEmpty)
    }

    /// Without the wallet and device ids an in-app request must not turn into a web one.
    @Test func aSessionAloneIsNotEnoughInApp() async throws {
        let transport = ScriptedTransport(answers: [])
        var request = try IncreaseHarness.request(.googlePay)
        request.handshake = .googlePay(
            GooglePayHandshake(walletID: nil, deviceID: nil, serverSessionID: SecretText("s")))
        let provider = try IncreaseHarness.provider(transport)
        await #expect(throws: ProvisioningError(.handshakeInvalid, outcome: .notSent)) {
            try await provider.provision(request)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        ("card_oubs0hwk5rn6knuecxg2", true), ("sandbox_card_oubs0", true), ("card_", false), ("Card_a", false),
        ("card_A", false), ("card_a-b", false), ("live_card_a", false), ("sandbox_card_sandbox_card_a", false),
    ])
    func onlyItsOwnCardIDsMatch(_ id: String, _ matches: Bool) {
        #expect(IncreaseProvider.descriptor.cardIDPattern.matches(id) == matches)
    }
}
