import IncreaseProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("What Increase answers")
struct IncreaseAnswerTests {
    private func handoff(
        _ body: String, _ wallet: Wallet, _ channel: WalletChannel = .inApp, network: CardNetwork = .visa
    )
        async throws -> Handoff
    {
        let provider = try IncreaseHarness.provider(ScriptedTransport { _ in .answer(200, body) })
        var request = try IncreaseHarness.request(wallet, channel)
        request.card.network = network
        return try await provider.provision(request)
    }

    private func pass(_ members: String) async throws -> ApplePayPass {
        let body = #"{"channel":"apple_pay_in_app","apple_pay_in_app":{\#(members)}}"#
        guard case .applePayPass(let pass) = try await handoff(body, .applePay) else { throw Violation("no pass") }
        return pass
    }

    private func opaque(_ members: String, _ channel: WalletChannel, network: CardNetwork = .visa) async throws
        -> GooglePayOpaqueCard
    {
        let name = channel == .web ? "google_pay_web" : "google_pay_in_app"
        let body = #"{"channel":"\#(name)","\#(name)":{\#(members)}}"#
        guard case .googlePayOpaqueCard(let card) = try await handoff(body, .googlePay, channel, network: network)
        else {
            throw Violation("no opaque card")
        }
        return card
    }

    private func isViolation(_ body: String, _ wallet: Wallet, _ channel: WalletChannel = .inApp) async -> Bool {
        do {
            _ = try await handoff(body, wallet, channel)
            return false
        } catch let error as ProvisioningError {
            return error.code == .providerContractViolation && error.outcome == .unknown
        } catch {
            return false
        }
    }

    @Test func aPassIsHandedOnAsBytes() async throws {
        let pass = try await pass(
            #""activation_data":"++++AP8Q","encrypted_pass_data":"AQI=","encryption_version":"EV_ECC_v2","ephemeral_public_key":"BAU""#
        )
        #expect(pass.activationData.reveal() == [0xfb, 0xef, 0xbe, 0x00, 0xff, 0x10])
        #expect(pass.encryptedPassData.reveal() == [1, 2])
        guard case .ephemeralPublicKey(let key) = pass.key else { throw Violation("another key") }
        #expect(key.reveal() == [4, 5])
        #expect(pass.encryptionVersion == "EV_ECC_v2")
    }

    /// H12: a key of the other scheme stays in its own field.
    @Test func h12AWrappedKeyIsNeverPutIntoTheOtherField() async throws {
        let pass = try await pass(
            #""activation_data":"AQI=","encrypted_pass_data":"AQI=","encryption_version":"EV_ECC_v2","wrapped_key":"BAU=""#
        )
        guard case .wrappedKey(let key) = pass.key else { throw Violation("in the other field") }
        #expect(key.reveal() == [4, 5])
    }

    @Test(arguments: [
        #""encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQI=","encrypted_pass_data":"AQI=""#,
        #""activation_data":"","encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"A-_=","encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQ I=","encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQI=\n","encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":["AQI="],"encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQI=","encrypted_pass_data":"AQI=","ephemeral_public_key":{}"#,
    ])
    func aPassThatCannotBeUsedBreaksTheContract(_ members: String) async {
        #expect(await isViolation(#"{"apple_pay_in_app":{\#(members)}}"#, .applePay))
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"null"#, #""text""#, #"{"google_pay_in_app":null}"#, #"{"google_pay_in_app":"card"}"#,
        #"{"google_pay_in_app":{}}"#, #"{"google_pay_web":{"google_opaque_payment_card":"x"}}"#,
        #"{"google_pay_in_app":{"token_service_provider_opaque_payment_card":5}}"#,
        #"{"google_pay_in_app":{"token_service_provider_opaque_payment_card":"","google_opaque_payment_card":"x"}}"#,
    ])
    func aGoogleAnswerWithoutACardBreaksTheContract(_ body: String) async {
        #expect(await isViolation(body, .googlePay))
    }

    /// G01: the provider is the network's own, numbered in its own way.
    @Test(
        arguments: [
            (.visa, 4, 4), (.mastercard, 3, 3), (.amex, 1, 2), (.discover, 2, 5),
        ] as [(CardNetwork, Int, Int)])
    func g01NetworkAndProviderHaveTheirOwnNumbers(_ network: CardNetwork, _ number: Int, _ provider: Int) async throws {
        let card = try await opaque(
            #""token_service_provider_opaque_payment_card":"t""#, .inApp, network: network)
        #expect(card.network == .number(number))
        #expect(card.tokenServiceProvider == .number(provider))
    }

    @Test func g01OnTheWebTheyAreNames() async throws {
        let card = try await opaque(#""google_opaque_payment_card":"a""#, .web)
        #expect(card.network == .name("CARD_NETWORK_VISA"))
        #expect(card.tokenServiceProvider == .name("TOKEN_PROVIDER_VISA"))
    }

    /// G02: what is not known is not guessed.
    @Test(arguments: [WalletChannel.inApp, .web])
    func g02ADomesticSchemeHasNoConstants(_ channel: WalletChannel) async throws {
        let scheme = try #require(CardNetwork("girocard"))
        let card = try await opaque(#""google_opaque_payment_card":"a""#, channel, network: scheme)
        #expect(card.network == nil)
        #expect(card.tokenServiceProvider == nil)
    }

    /// G04: one card of two is a success, and the other is absent.
    @Test func g04OneOpaqueCardIsEnough() async throws {
        let account = try await opaque(#""google_opaque_payment_card":"a""#, .web)
        #expect(account.tokenCard == nil)
        #expect(account.accountCard?.reveal() == "a")
        let token = try await opaque(
            #""token_service_provider_opaque_payment_card":"t","google_opaque_payment_card":null"#, .inApp)
        #expect(token.tokenCard?.reveal() == "t")
        #expect(token.accountCard == nil)
        #expect(token.last4 == "1288")
        #expect(token.displayName == "Crease Card")
    }

    @Test func opaqueCardsAreByteIdentical() async throws {
        let text = #"{\"v\":1} \u00e9\u2028\t/+=\ud83d\ude00"#
        let card = try await opaque(#""token_service_provider_opaque_payment_card":"\#(text)""#, .inApp)
        #expect(card.tokenCard?.reveal() == "{\"v\":1} é\u{2028}\t/+=😀")
    }
}
