import Crypto
import JSON
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing
import ThalesProvider

@Suite("The code that Thales gets")
struct ThalesCodeTests {
    private func authorization(
        _ wallet: Wallet = .applePay, _ settings: TestSettings = ThalesHarness.settings(),
        _ change: (inout ProvisioningRequest) -> Void = { _ in }
    ) async throws -> TPCAuthorization {
        let transport = ScriptedTransport { _ in .answer(200, ThalesHarness.body()) }
        var request = try ThalesHarness.request(wallet)
        change(&request)
        return try await ThalesHarness.authorization(ThalesHarness.provider(transport, settings), request)
    }

    @Test func itsHeaderIsAsAgreed() async throws {
        let code = try SignedCode(try await authorization().authorizationCode)
        #expect(code.header.members?.map(\.name) == ["typ", "alg", "kid"])
        #expect(code.header["typ"]?.string == "JWT" && code.header["alg"]?.string == "RS256")
        #expect(code.header["kid"]?.string == "issuer-key-1")
        #expect(!code.text.contains("=") && !code.text.contains("+") && !code.text.contains("/"))
    }

    @Test func itSpeaksForTheCardOfTheEnvelope() async throws {
        let code = try SignedCode(try await authorization().authorizationCode)
        #expect(code.claims.members?.map(\.name) == ["iss", "sub", "aud", "iat", "exp", "jti"])
        #expect(code.claims["iss"]?.string == ThalesHarness.issuerID)
        #expect(code.claims["sub"]?.string == ThalesHarness.card.providerCardID)
    }

    @Test(arguments: [(Wallet.applePay, "APPLE_PAY"), (.googlePay, "GOOGLE_PAY")])
    func oneCodeIsForOneWallet(_ wallet: Wallet, _ audience: String) async throws {
        let code = try SignedCode(try await authorization(wallet).authorizationCode)
        #expect(code.claims["aud"]?.string == audience)
    }

    /// J01: times are whole numbers of seconds, never texts. J07: seconds, never milliseconds.
    @Test func j01J07TimesAreWholeSeconds() async throws {
        let authorization = try await authorization()
        let code = try SignedCode(authorization.authorizationCode)
        let now = Int(ThalesHarness.clock.now.seconds)
        #expect(code.claims["iat"]?.kind == .integer && code.claims["iat"]?.integer == now)
        #expect(code.claims["exp"]?.kind == .integer && code.claims["exp"]?.integer == now + 300)
        #expect(String(now).count == 10)
        #expect(authorization.expiresAt == Timestamp(seconds: Int64(now) + 300))
    }

    @Test func itEndsSoonerWhereTheConnectionSaysSo() async throws {
        let authorization = try await authorization(.applePay, ThalesHarness.settings(with: [("ttl_seconds", "60")]))
        let code = try SignedCode(authorization.authorizationCode)
        #expect(code.claims["exp"]?.integer == Int(ThalesHarness.clock.now.seconds) + 60)
        #expect(authorization.expiresAt == ThalesHarness.clock.now.adding(milliseconds: 60_000))
    }

    /// J06: a second implementation verifies what we sign.
    @Test func j06TheOpenSSLCommandVerifiesIt() async throws {
        let text = try await authorization().authorizationCode.reveal()
        let end = try #require(text.lastIndex(of: "."))
        let signature = try #require(
            Base64.decode(SecretBytes(utf8: text[text.index(after: end)...]), alphabet: .urlSafe))
        let printed = try OpenSSLCommand.text(
            ["dgst", "-sha256", "-prverify", "key.pem", "-signature", "signature", "signed"],
            files: [
                "key.pem": Array(ThalesHarness.issuerPEM.utf8), "signature": signature.reveal(),
                "signed": Array(text[..<end].utf8),
            ])
        #expect(printed.contains("Verified OK"))
    }

    /// J14: two calls in one millisecond have two identifiers.
    @Test func j14EveryCodeHasItsOwnIdentifier() async throws {
        var identifiers: Set<String> = []
        for _ in 0..<50 {
            let code = try SignedCode(try await authorization().authorizationCode)
            identifiers.insert(try #require(code.claims["jti"]?.string))
        }
        #expect(identifiers.count == 50 && identifiers.allSatisfy { $0.utf8.count == 22 })
    }

    @Test(
        arguments: [
            ("visa", "VISA"), ("mastercard", "MASTERCARD"), ("amex", "AMEX"), ("discover", "DISCOVER"),
            ("girocard", "GIROCARD"), ("cartes_bancaires", "CARTES_BANCAIRES"),
        ])
    func schemesHaveTheSDKsNames(_ network: String, _ scheme: String) async throws {
        let network = try #require(CardNetwork(network))
        let authorization = try await authorization { request in
            request.card.network = network
            request.card.productID = "product-7"
        }
        #expect(authorization.scheme == scheme && authorization.productID == "product-7")
        #expect(authorization.primaryAccountSuffix == "0009" && authorization.cardholderName == "Ian Crease")
        #expect(authorization.primaryAccountIdentifier == nil)
    }

    @Test func aDomesticSchemeNeedsItsProduct() throws {
        let provider = try ThalesHarness.provider()
        var card = ThalesHarness.card
        try provider.check(card)
        card.network = try #require(CardNetwork("girocard"))
        for product in [nil, ""] as [String?] {
            card.productID = product
            #expect(
                throws: ProvisioningError(
                    .invalidRequest, outcome: .notSent, pointer: "/product_id",
                    detail: "is missing; a domestic scheme needs it at Thales")
            ) { try provider.check(card) }
        }
        card.productID = "product-7"
        try provider.check(card)
    }

    @Test func otherWalletsAndChannelsAreRefused() async throws {
        for (wallet, channel) in [(Wallet.samsungPay, WalletChannel.inApp), (.googlePay, .web), (.applePay, .web)] {
            var request = try ThalesHarness.request()
            request.wallet = wallet
            request.channel = channel
            let refusal = try await ThalesHarness.failure(ThalesHarness.provider(), request)
            #expect(refusal == ProvisioningError(.walletUnsupported, outcome: .notSent))
        }
    }

    @Test func everyBoundCardIsEligible() async throws {
        let answer = try await ThalesHarness.provider().eligibility(
            of: ThalesHarness.card, wallet: .googlePay, deadline: .now)
        #expect(answer == Eligibility(eligible: true))
    }

    @Test(arguments: [
        ("card-ref_0001", true), ("A", true), (String(repeating: "a", count: 48), true), ("", false),
        (String(repeating: "a", count: 49), false), ("a.b", false), ("a/b", false), ("a b", false),
    ])
    func onlyItsOwnCardIDsMatch(_ id: String, _ matches: Bool) {
        #expect(ThalesProvider.descriptor.cardIDPattern.matches(id) == matches)
    }
}
