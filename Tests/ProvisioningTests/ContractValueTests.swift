import Provisioning
import SecretMemory
import Testing

struct ContractValueTests {
    private static let canary = SecretText("canary-4242")
    private static let moment = Timestamp(seconds: 1_800_000_000)

    static let handoffs: [Handoff] = [
        .applePayPass(
            ApplePayPass(
                activationData: canary.bytes, encryptedPassData: canary.bytes, key: .ephemeralPublicKey(canary.bytes),
                encryptionVersion: "EV_ECC_v2")),
        .applePayPass(
            ApplePayPass(
                activationData: canary.bytes, encryptedPassData: canary.bytes, key: .wrappedKey(canary.bytes),
                encryptionVersion: nil)),
        .googlePayOpaqueCard(
            GooglePayOpaqueCard(
                tokenCard: canary, accountCard: canary, network: .number(1), tokenServiceProvider: .name("X"),
                last4: "4242", displayName: "Card")),
        .stripeEphemeralKey(
            StripeEphemeralKey(
                ephemeralKey: canary.bytes, apiVersion: "2020-08-27", providerCardID: "ic_1", expiresAt: moment)),
        .d1Authorization(
            D1Authorization(
                jwt: canary, expiresAt: moment, providerCardID: "crd_1", cardholderID: "c", issuerID: "i",
                serviceURL: "https://d1.example", digitalCardURL: "https://d1.example", serviceRSAModulus: "00",
                serviceRSAExponent: "010001")),
        .tpcAuthorization(
            TPCAuthorization(
                encryptedPayload: canary, authorizationCode: canary, expiresAt: moment, scheme: "visa",
                primaryAccountSuffix: "4242", cardholderName: "A Name", productID: nil, primaryAccountIdentifier: nil)),
    ]

    @Test(arguments: handoffs) func showsNoPayloadHoweverItIsPrinted(_ handoff: Handoff) {
        var text = "\(handoff) \(String(reflecting: handoff))"
        dump(handoff, to: &text)
        #expect(!text.contains("canary"))
        #expect(text.contains("«secret"))
    }

    @Test func showsNoHandshakeHoweverItIsPrinted() {
        let handshakes: [Handshake] = [
            .applePay(
                ApplePayHandshake(
                    certificates: [[1]], nonce: Self.canary.bytes, nonceSignature: Self.canary.bytes)),
            .googlePay(
                GooglePayHandshake(walletID: Self.canary, deviceID: Self.canary, serverSessionID: Self.canary)),
        ]
        for handshake in handshakes {
            var text = "\(handshake) \(String(reflecting: handshake))"
            dump(handshake, to: &text)
            #expect(!text.contains("canary"))
        }
    }

    @Test func knowsTheTypeAndTheEndOfAHandoff() {
        #expect(Set(Self.handoffs.map(\.type)) == Set(HandoffType.allCases))
        #expect(Self.handoffs.map(\.expiresAt) == [nil, nil, nil, Self.moment, Self.moment, Self.moment])
    }

    @Test func allowsARepeatByRuleAndHandshake() {
        let session = Handshake.googlePay(
            GooglePayHandshake(walletID: nil, deviceID: nil, serverSessionID: SecretText("s")))
        let device = Handshake.googlePay(GooglePayHandshake(walletID: nil, deviceID: nil, serverSessionID: nil))
        let apple = Handshake.applePay(
            ApplePayHandshake(certificates: [], nonce: SecretBytes([]), nonceSignature: SecretBytes([])))
        func allowed(_ rule: WalletSupport.RepeatRule) -> [Bool] {
            let support = WalletSupport(
                wallet: .googlePay, channel: .inApp, handoff: .googlePayOpaqueCard, handshake: .googlePayDevice,
                repeatRule: rule, isSingleUse: true)
            return [session, device, apple, .none].map { support.allowsRepeat(of: $0) }
        }
        #expect(allowed(.never) == [false, false, false, false])
        #expect(allowed(.once) == [true, true, true, true])
        #expect(allowed(.onceWithoutSession) == [false, true, true, true])
    }

    @Test func namesNetworks() {
        for known in ["visa", "mastercard", "amex", "discover"] {
            #expect(CardNetwork(known)?.isDomestic == false)
            #expect(CardNetwork(known)?.description == known)
        }
        for domestic in ["cb", "eftpos", "a_1", String(repeating: "a", count: 32)] {
            #expect(CardNetwork(domestic)?.isDomestic == true)
        }
        for text in ["", "a", "Visa", "visa ", "c-b", "é", String(repeating: "a", count: 33)] {
            #expect(CardNetwork(text) == nil)
        }
    }

    @Test func reportsOnlyPlainWordsOfUpstream() {
        for word in ["a", "invalid_parameters_error", "A.b-C_9", String(repeating: "a", count: 64)] {
            let report = UpstreamReport(status: 400, code: word, requestID: word)
            #expect(report.code == word)
            #expect(report.requestID == word)
        }
        for text in ["", "a b", "<b>", "é", "a\n", "a\"", "4242 4242", String(repeating: "a", count: 65)] {
            let report = UpstreamReport(status: 400, code: text, requestID: text)
            #expect(report.code == nil)
            #expect(report.requestID == nil)
        }
    }

    @Test(arguments: [
        (0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2), (1_800_000_000_123, 1_800_000_000),
    ])
    func roundsSecondsDown(_ milliseconds: Int64, _ seconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
        #expect(Timestamp(milliseconds: milliseconds) >= Timestamp(seconds: seconds))
        #expect(Timestamp(milliseconds: milliseconds) < Timestamp(seconds: seconds + 1))
        #expect(Timestamp(milliseconds: milliseconds).adding(milliseconds: 5).milliseconds == milliseconds + 5)
    }
}
