import CheckoutEmulator
import CheckoutProvider
import Foundation
import JSON
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Sandbox
import Testing

@Suite("The authorizations for D1")
struct CheckoutAuthorizationTests {
    /// 2026-11-30T12:00:00.456Z
    private let clock = FixedClock(Timestamp(milliseconds: 1_796_040_000_456))

    private func read(_ settings: [(key: String, value: SettingValue)] = []) async throws -> ReadToken {
        let provider = try CheckoutHarness.provider(clock: clock, d1: settings)
        return try ReadToken(await CheckoutHarness.authorization(provider).jwt)
    }

    @Test func theHandoffHoldsWhatTheSDKIsConfiguredWith() async throws {
        let provider = try CheckoutHarness.provider(clock: clock)
        let authorization = try await CheckoutHarness.authorization(provider, .googlePay)
        #expect(authorization.providerCardID == "crd_fa6psq242dcd6fdn5gifcq1491")
        #expect(authorization.cardholderID == "crh_d3ozhf43pcq2xbldn2g45qnb44")
        #expect(authorization.issuerID == "ISSUERID01")
        #expect(authorization.serviceURL == "https://client-api.d1.thalescloud.io/")
        #expect(authorization.digitalCardURL == "https://hapi.dbp.thalescloud.io/mg/tpc")
        #expect(authorization.serviceRSAModulus == "00c0ffee")
        #expect(authorization.serviceRSAExponent == "010001")
        #expect(authorization.expiresAt.rfc3339 == "2026-11-30T12:10:00.000Z")
        #expect(!String(reflecting: authorization).contains(authorization.jwt.reveal()))
    }

    @Test func headerAndClaimsAreThoseOfThePage() async throws {
        let token = try await read()
        #expect(token.header as? [String: String] == ["alg": "ES256", "kid": "d1api-crease-01"])
        #expect(token.claims.keys.sorted() == ["aud", "exp", "iat", "iss", "jti", "scope", "sub"])
        #expect(token.text("aud") == "https://client-api.d1.thalescloud.io/oidc/ISSUERID01")
        #expect(token.text("iss") == "https://oidc.d1.example/oidc/ISSUERID01")
        #expect(token.text("scope") == "thales:d1")
        #expect(token.text("sub") == "crh_d3ozhf43pcq2xbldn2g45qnb44")
        #expect(try token.number("iat") == 1_796_040_000)
        #expect(try token.number("exp") == 1_796_040_600)
        #expect(token.text("jti")?.count == 22)
    }

    @Test func theOperatorsWordsStandAsTheyAreWritten() async throws {
        let token = try await read([
            ("issuer_url", "https://oidc.d1.example/oidc/ISSUERID01/"), ("audience_url", "https://D1.example/a"),
            ("scope", "thales:d1 thales:more"), ("ttl_seconds", "1"), ("jti", "false"),
        ])
        #expect(token.text("iss") == "https://oidc.d1.example/oidc/ISSUERID01/")
        #expect(token.text("aud") == "https://D1.example/a")
        #expect(token.text("scope") == "thales:d1 thales:more")
        #expect(try token.number("exp") == 1_796_040_001)
        #expect(token.claims["jti"] == nil)
    }

    /// J01: numbers by default, texts by switch, and both times always alike.
    @Test func j01TimesAreNumbersOrTextsAndNeverBoth() async throws {
        let token = try await read([("timestamp_form", "iso8601")])
        #expect(token.text("iat") == "2026-11-30T12:00:00.456")
        #expect(token.text("exp") == "2026-11-30T12:10:00.456")
        let provider = try CheckoutHarness.provider(clock: clock, d1: [("timestamp_form", "iso8601")])
        let expiry = try await CheckoutHarness.authorization(provider).expiresAt
        #expect(expiry.rfc3339 == "2026-11-30T12:10:00.456Z")
    }

    /// J06, J15: two more implementations read what was signed: Foundation the parts, `openssl` the signature.
    @Test(arguments: [("ES256", "p256.pem", 64), ("RS256", "rsa.pem", 256)])
    func j06J15OtherImplementationsReadTheToken(_ algorithm: String, _ file: String, _ count: Int) async throws {
        let key: SettingValue = .mapping([("key_id", "k1"), ("file", .text(SecretText(file)))])
        let settings: [(key: String, value: SettingValue)] = [
            ("algorithm", .text(SecretText(algorithm))), ("keys", [key]),
        ]
        let provider = try CheckoutHarness.provider(clock: clock, d1: settings)
        let publicPEM = try TestKeys.publicPEM(of: try #require(TestKeys.files[file]))
        let strangerPEM = try TestKeys.publicPEM(of: TestKeys.otherP256)
        for _ in 0..<8 {
            let token = try ReadToken(await CheckoutHarness.authorization(provider).jwt)
            #expect(token.header["alg"] as? String == algorithm)
            #expect(token.signature.count == count)
            #expect(try token.isSigned(by: publicPEM))
            #expect(try !token.isSigned(by: strangerPEM))
        }
    }

    /// J07: seconds, not milliseconds, whatever the clock says.
    @Test func j07TimesAreSeconds() async throws {
        let token = try await read()
        let (issued, expires) = (try token.number("iat"), try token.number("exp"))
        #expect(String(issued).count == 10 && String(expires).count == 10)
    }

    /// J08: DER is shorter where a number begins with zeros; r‖s never is.
    @Test func j08EverySignatureHas64Bytes() async throws {
        let provider = try CheckoutHarness.provider(clock: clock)
        let request = try CheckoutHarness.request()
        for _ in 0..<10_000 {
            guard case .d1Authorization(let authorization) = try await provider.provision(request) else { return }
            let dot = try #require(authorization.jwt.reveal().lastIndex(of: "."))
            // 86 digits of unpadded base64url are 64 bytes.
            let digits = authorization.jwt.reveal()[dot...].dropFirst().count
            guard digits == 86 else {
                Issue.record("a signature has \(digits) digits")
                return
            }
        }
    }

    /// J14: two authorizations of one millisecond differ, and none lives for 15 minutes.
    @Test func j14EachAuthorizationIsANewOne() async throws {
        let provider = try CheckoutHarness.provider(clock: clock)
        let tokens = try await withThrowingTaskGroup(of: SecretText.self) { group in
            for _ in 0..<50 { group.addTask { try await CheckoutHarness.authorization(provider).jwt } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(try tokens.map { try ReadToken($0).text("jti") }).count == 50)
        let longest = try await read([("ttl_seconds", "900")])
        let life = try longest.number("exp") - longest.number("iat")
        #expect(life == 899)
    }

    @Test func nothingIsSent() async throws {
        let transport = ScriptedTransport(answers: [])
        let provider = try CheckoutHarness.provider(transport, clock: clock)
        _ = try await CheckoutHarness.authorization(provider)
        _ = try await provider.credential(wish(.state))
        #expect(transport.requests.isEmpty)
    }

    @Test func theKeyThatIsActiveSigns() async throws {
        let keys: SettingValue = [
            .mapping([("key_id", "old"), ("file", "p256.pem")]),
            .mapping([("key_id", "new"), ("file", "other.pem"), ("active", "true")]),
        ]
        let token = try await read([("keys", keys)])
        #expect(token.header["kid"] as? String == "new")
        #expect(try token.isSigned(by: TestKeys.publicPEM(of: TestKeys.otherP256)))
    }

    @Test func aCardWithoutAKnownCardholderGetsNone() async throws {
        let provider = try CheckoutHarness.provider()
        for id in [nil, "", "crh_short", "cus_d3ozhf43pcq2xbldn2g45qnb44", "crh_D3ozhf43pcq2xbldn2g45qnb44"] {
            var card = CheckoutHarness.card
            card.providerCardholderID = id
            #expect(await refusal(of: card, by: provider) == Self.unknownCardholder)
            do throws(ProvisioningError) {
                _ = try await provider.credential(wish(.state, card))
                Issue.record("it was signed")
            } catch {
                #expect(error == Self.unknownCardholder)
            }
        }
        var card = CheckoutHarness.card
        card.providerCardID = "../cards/x"
        let refusal = await refusal(of: card, by: provider)
        #expect(refusal?.code == .providerCardNotFound && refusal?.outcome == .notSent)
    }

    @Test(arguments: [(Wallet.samsungPay, WalletChannel.inApp), (.googlePay, .web), (.applePay, .web)])
    func otherWalletsAndChannelsAreRefused(_ wallet: Wallet, _ channel: WalletChannel) async throws {
        let provider = try CheckoutHarness.provider()
        let refusal = await refusal(of: CheckoutHarness.card, wallet, channel, by: provider)
        #expect(refusal == ProvisioningError(.walletUnsupported, outcome: .notSent))
    }

    private func refusal(
        of card: CardBinding, _ wallet: Wallet = .applePay, _ channel: WalletChannel = .inApp,
        by provider: CheckoutProvider
    ) async -> ProvisioningError? {
        guard var request = try? CheckoutHarness.request() else { return nil }
        request.card = card
        request.wallet = wallet
        request.channel = channel
        do throws(ProvisioningError) {
            _ = try await provider.provision(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func forTheStateThereIsAFreshAuthorizationAndForTheRestNothing() async throws {
        let provider = try CheckoutHarness.provider(clock: clock)
        let first = try await provider.credential(wish(.state))
        let second = try await provider.credential(wish(.state))
        #expect(first.purpose == .state && first.token != second.token)
        #expect(first.expiresAt.rfc3339 == "2026-11-30T12:10:00.000Z")
        let token = try ReadToken(first.token)
        #expect(try token.isSigned(by: TestKeys.publicPEM(of: TestKeys.p256)))
        #expect(token.text("sub") == "crh_d3ozhf43pcq2xbldn2g45qnb44")
        for purpose in [WalletCredentialPurpose.session, .activate] {
            await #expect(throws: ProvisioningError(.operationUnsupported, outcome: .notSent)) {
                try await provider.credential(wish(purpose))
            }
        }
    }

    /// J13: the time is the clock's own. Nothing is backdated, so that a wrong clock shows at once.
    @Test func j13TheTimeIsTheClocksOwn() async throws {
        let provider = try CheckoutHarness.provider(clock: clock)
        for skew in [0, -120_000, 120_000, 960_000] as [Int64] {
            let start = clock.now
            clock.advance(milliseconds: skew)
            let token = try ReadToken(await CheckoutHarness.authorization(provider).jwt)
            let expected = Int(start.adding(milliseconds: skew).seconds)
            #expect(try token.number("iat") == expected)
            clock.advance(milliseconds: -skew)
        }
    }

    private static let unknownCardholder = ProvisioningError(
        .providerCardNotFound, outcome: .notSent, detail: "The card's cardholder at Checkout.com is not known.")

    private func wish(_ purpose: WalletCredentialPurpose, _ card: CardBinding = CheckoutHarness.card)
        -> WalletCredentialRequest
    {
        WalletCredentialRequest(
            purpose: purpose, card: card, wallet: nil, token: nil, deadline: .now + .seconds(5))
    }
}
