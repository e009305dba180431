import ImprintProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("What Imprint answers")
struct ImprintAnswerTests {
    private func handoff(_ body: String, _ wallet: Wallet, network: CardNetwork = .visa) async throws -> Handoff {
        let provider = try ImprintHarness.provider(ScriptedTransport { _ in .answer(200, body) })
        var request = try ImprintHarness.request(wallet)
        request.card.network = network
        return try await provider.provision(request)
    }

    private func pass(_ members: String) async throws -> ApplePayPass {
        let body = #"{"wallet":"apple_pay","provisioning_payload":{\#(members)}}"#
        guard case .applePayPass(let pass) = try await handoff(body, .applePay) else { throw Violation("no pass") }
        return pass
    }

    private func opaque(_ members: String, network: CardNetwork = .visa) async throws -> GooglePayOpaqueCard {
        let body = #"{"wallet":"google_pay","provisioning_payload":{\#(members)}}"#
        guard case .googlePayOpaqueCard(let card) = try await handoff(body, .googlePay, network: network) else {
            throw Violation("no opaque card")
        }
        return card
    }

    private func isViolation(_ body: String, _ wallet: Wallet) async -> Bool {
        do {
            _ = try await handoff(body, wallet)
            return false
        } catch let error as ProvisioningError {
            return error.code == .providerContractViolation && error.outcome == .unknown
        } catch {
            return false
        }
    }

    @Test func aPassIsHandedOnAsBytes() async throws {
        let pass = try await pass(
            #""activation_data":"++++AP8Q","encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#)
        #expect(pass.activationData.reveal() == [0xfb, 0xef, 0xbe, 0x00, 0xff, 0x10])
        #expect(pass.encryptedPassData.reveal() == [1, 2])
        guard case .ephemeralPublicKey(let key) = pass.key else { throw Violation("another key") }
        #expect(key.reveal() == [4, 5])
        #expect(pass.encryptionVersion == nil)
    }

    /// H03: unpadded base64 is read in answers too.
    @Test func h03UnpaddedBase64IsRead() async throws {
        let pass = try await pass(
            #""activation_data":"++++AP8","encrypted_pass_data":"AQI","ephemeral_public_key":"BAU""#)
        #expect(pass.activationData.reveal() == [0xfb, 0xef, 0xbe, 0x00, 0xff])
    }

    /// H12: a key of the other scheme stays in its own field.
    @Test func h12AWrappedKeyIsNeverPutIntoTheOtherField() async throws {
        let pass = try await pass(#""activation_data":"AQI=","encrypted_pass_data":"AQI=","wrapped_key":"BAU=""#)
        guard case .wrappedKey(let key) = pass.key else { throw Violation("in the other field") }
        #expect(key.reveal() == [4, 5])
    }

    /// H04: a pass that cannot be used, by line breaks or otherwise, is not handed on.
    @Test(arguments: [
        #""encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQI=","encrypted_pass_data":"AQI=""#,
        #""activation_data":"","encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQI=\n","encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"A-_=","encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":["AQI="],"encrypted_pass_data":"AQI=","ephemeral_public_key":"BAU=""#,
        #""activation_data":"AQI=","encrypted_pass_data":"AQI=","ephemeral_public_key":{}"#,
    ])
    func h04APassThatCannotBeUsedBreaksTheContract(_ members: String) async {
        #expect(await isViolation(#"{"wallet":"apple_pay","provisioning_payload":{\#(members)}}"#, .applePay))
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"provisioning_payload":null}"#, #"{"provisioning_payload":"card"}"#,
        #"{"provisioning_payload":{}}"#, #"{"opaque_payment_card":"x"}"#,
        #"{"provisioning_payload":{"opaque_payment_card":5}}"#, #"{"provisioning_payload":{"opaque_payment_card":""}}"#,
    ])
    func aGoogleAnswerWithoutACardBreaksTheContract(_ body: String) async {
        #expect(await isViolation(body, .googlePay))
    }

    /// G01: `wallet_type` is no token service provider. The provider is the network's own, numbered in its own way.
    @Test(
        arguments: [
            (.visa, 4, 4), (.mastercard, 3, 3), (.amex, 1, 2), (.discover, 2, 5),
        ] as [(CardNetwork, Int, Int)])
    func g01NetworkAndProviderHaveTheirOwnNumbers(_ network: CardNetwork, _ number: Int, _ provider: Int) async throws {
        let card = try await opaque(
            #""opaque_payment_card":"t","network":"VISA","wallet_type":"GOOGLE_PAY""#, network: network)
        #expect(card.network == .number(number))
        #expect(card.tokenServiceProvider == .number(provider))
    }

    /// G02: `network` may be absent, empty or unheard of: it is the binding's that counts, and none is guessed.
    @Test(arguments: ["", #","network":"""#, #","network":null"#, #","network":7"#, #","network":"QUANTUM""#])
    func g02TheNetworkIsTheBindings(_ member: String) async throws {
        #expect(try await opaque(#""opaque_payment_card":"t"\#(member)"#, network: .amex).network == .number(1))
        let scheme = try #require(CardNetwork("girocard"))
        let domestic = try await opaque(#""opaque_payment_card":"t"\#(member)"#, network: scheme)
        #expect(domestic.network == nil)
        #expect(domestic.tokenServiceProvider == nil)
    }

    /// G04: Imprint gives the card for the device alone.
    @Test func g04ThereIsNoCardForTheAccount() async throws {
        let card = try await opaque(#""opaque_payment_card":"t","google_opaque_payment_card":"a""#)
        #expect(card.tokenCard?.reveal() == "t")
        #expect(card.accountCard == nil)
        #expect(card.last4 == "1288")
        #expect(card.displayName == "Crease Card")
    }

    @Test func theOpaqueCardIsByteIdentical() async throws {
        let card = try await opaque(#""opaque_payment_card":"{\"v\":1} \u00e9\u2028\t/+=\ud83d\ude00""#)
        #expect(card.tokenCard?.reveal() == "{\"v\":1} é\u{2028}\t/+=😀")
    }
}
