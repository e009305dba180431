import ImprintProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("What Imprint is asked")
struct ImprintRequestTests {
    private func sent(_ wallet: Wallet, _ change: (inout ProvisioningRequest) -> Void = { _ in }) async throws
        -> UpstreamRequest
    {
        let transport = ScriptedTransport(answers: [])
        var request = try ImprintHarness.request(wallet)
        change(&request)
        _ = try? await ImprintHarness.provider(transport).provision(request)
        return try #require(transport.requests.first)
    }

    /// H01, H09: bytes go as standard base64 with padding, never as hex; the leaf comes first.
    @Test func h01h09ThePagesFormAndOrderAreKept() async throws {
        let request = try await sent(.applePay)
        #expect(
            request.body?.revealText() == """
                {"certificates":["aW52ZW50ZWQgbGVhZiBjZXJ0aWZpY2F0ZQ==","aW52ZW50ZWQgc3ViLUNBIGNlcnRpZmljYXRl"],\
                "nonce":"++++AP8Q","nonce_signature":"aW52ZW50ZWQgbm9uY2Ugc2lnbmF0dXJl"}
                """)
    }

    /// H06: every length has its padding, on one line.
    @Test(arguments: 1...66)
    func h06EveryLengthIsPaddedOnOneLine(_ count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 0xff - $0) }
        let request = try await sent(.applePay) {
            $0.handshake = .applePay(
                ApplePayHandshake(
                    certificates: [bytes, bytes], nonce: SecretBytes(bytes), nonceSignature: SecretBytes(bytes)))
        }
        let text = try #require(request.body?.revealText())
        let nonce = try #require(text.firstMatch(of: /"nonce":"([^"]*)"/)?.1)
        #expect(nonce.utf8.count == (count + 2) / 3 * 4)
        #expect(Base64.decode(SecretBytes(utf8: nonce))?.reveal() == bytes)
    }

    /// Imprint has no place for a session of Google's, and asks for neither name nor number.
    @Test func googlesIDsGoAsTheyCameAndNothingElseGoes() async throws {
        let request = try await sent(.googlePay) {
            $0.handshake = .googlePay(
                GooglePayHandshake(
                    walletID: SecretText("w \"é/"), deviceID: SecretText("d"), serverSessionID: SecretText("s")))
        }
        #expect(request.body?.revealText() == #"{"wallet_id":"w \"é/","device_id":"d"}"#)
    }

    @Test(
        arguments: [(.applePay, "apple_pay"), (.googlePay, "google_pay")] as [(Wallet, String)])
    func theWalletStandsInThePath(_ wallet: Wallet, _ segment: String) async throws {
        let request = try await sent(wallet)
        #expect(request.method == .post)
        #expect(
            request.url
                == "https://dev.imprint.co/v2/payment_methods/\(ImprintHarness.card.providerCardID)/provision/\(segment)"
        )
    }

    /// Imprint documents no idempotency key, so none is sent.
    @Test func onlyTheHeadersThatImprintKnowsAreSent() async throws {
        let request = try await sent(.applePay) { $0.traceparent = nil }
        let names = request.headers.map { $0.name.lowercased() }
        #expect(names.sorted() == ["accept", "authorization", "content-type", "x-imprint-merchant-key"])
    }

    @Test func aHandshakeOfAnotherWalletIsRefused() async throws {
        let transport = ScriptedTransport(answers: [])
        let provider = try ImprintHarness.provider(transport)
        var request = try ImprintHarness.request(.applePay)
        request.handshake = try ImprintHarness.request(.googlePay).handshake
        await #expect(throws: ProvisioningError(.handshakeInvalid, outcome: .notSent)) {
            try await provider.provision(request)
        }
        request.wallet = .googlePay
        request.handshake = .googlePay(
            GooglePayHandshake(walletID: SecretText("w"), deviceID: nil, serverSessionID: SecretText("s")))
        await #expect(throws: ProvisioningError(.handshakeInvalid, outcome: .notSent)) {
            try await provider.provision(request)
        }
        request.channel = .web
        await #expect(throws: ProvisioningError(.walletUnsupported, outcome: .notSent)) {
            try await provider.provision(request)
        }
        #expect(transport.requests.isEmpty)
    }

    /// G06: a wallet that Imprint does not serve is refused before the handshake is spent, and without a call.
    @Test func g06SamsungPayIsUnsupported() async throws {
        let transport = ScriptedTransport(answers: [])
        let provider = try ImprintHarness.provider(transport)
        var request = try ImprintHarness.request(.googlePay)
        request.wallet = .samsungPay
        #expect(throws: ProvisioningError(.walletUnsupported, outcome: .notSent)) { try provider.check(request) }
        await #expect(throws: ProvisioningError(.walletUnsupported, outcome: .notSent)) {
            try await provider.provision(request)
        }
        #expect(transport.requests.isEmpty)
    }

    /// G06: the same for Google Pay, until the connection turns it on.
    @Test func g06GooglePayIsUnsupportedUntilItIsTurnedOn() async throws {
        let transport = ScriptedTransport(answers: [])
        let provider = try ImprintHarness.provider(transport, googlePay: false)
        let request = try ImprintHarness.request(.googlePay)
        #expect(throws: ProvisioningError(.walletUnsupported, outcome: .notSent)) { try provider.check(request) }
        await #expect(throws: ProvisioningError(.walletUnsupported, outcome: .notSent)) {
            try await provider.provision(request)
        }
        let eligibility = try await provider.eligibility(
            of: ImprintHarness.card, wallet: .googlePay, deadline: .now + .seconds(1))
        #expect(eligibility == Eligibility(eligible: false, reason: "wallet_unsupported"))
        #expect(transport.requests.isEmpty)
        try provider.check(try ImprintHarness.request(.applePay))
        try ImprintHarness.provider(transport).check(request)
    }

    /// H16, H17 and the page: Apple's handshake is never sent twice, Google's ids may be.
    @Test func h16h17OnlyGooglesIDsMayBeSentAgain() throws {
        let descriptor = ImprintProvider.descriptor
        let apple = try #require(descriptor.support(for: .applePay, on: .inApp))
        let google = try #require(descriptor.support(for: .googlePay, on: .inApp))
        #expect(!apple.allowsRepeat(of: try ImprintHarness.request(.applePay).handshake))
        #expect(google.allowsRepeat(of: try ImprintHarness.request(.googlePay).handshake))
        #expect(descriptor.wallets.allSatisfy { $0.isSingleUse && $0.channel == .inApp })
    }

    @Test(arguments: [
        ("3F0C2D1A-9B7E-4C55-8A21-6D0E94B7F312", true), ("3f0c2d1a-9b7e-4c55-8a21-6d0e94b7f312", true),
        ("3F0C2D1A9B7E4C558A216D0E94B7F312", false), ("{3F0C2D1A-9B7E-4C55-8A21-6D0E94B7F312}", false),
        ("3F0C2D1A-9B7E-4C55-8A21-6D0E94B7F31G", false), ("3F0C2D1A-9B7E-4C55-8A21-6D0E94B7F312/..", false),
    ])
    func onlyUUIDsMatch(_ id: String, _ matches: Bool) {
        #expect(ImprintProvider.descriptor.cardIDPattern.matches(id) == matches)
    }
}
