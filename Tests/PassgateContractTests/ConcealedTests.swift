import Foundation
import PassgateContract
import Testing

/// What is secret is not printed, in any of Swift's ways.
@Suite struct ConcealedTests {
    @Test func aHandshakeIsNeverShown() {
        let handshake = ApplePayHandshake(
            certificates: [Data("CANARY".utf8)], nonce: Data("CANARY".utf8), nonceSignature: Data())
        let wish = ProvisioningWish.applePay(handshake, accept: [.applePayPass])
        let secret = Data("CANARY".utf8).base64EncodedString()
        var dumped = ""
        dump(wish, to: &dumped)
        for text in ["\(wish)", String(reflecting: wish), dumped, "\(handshake)", "\(Optional(handshake) as Any)"] {
            #expect(!text.contains(secret) && text.contains("not shown"))
        }
    }

    @Test func whatTheAppSendsIsWhatTheGatewayReads() throws {
        let handshake = ApplePayHandshake(
            certificates: [Data([1]), Data([2])], nonce: Data([0xff]), nonceSignature: Data([3, 4]))
        let wish = ProvisioningWish.applePay(handshake, accept: [.applePayPass, .stripeEphemeralKey], plan: "p")
        let json = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(wish))
        #expect(
            json
                == .object([
                    "wallet": .text("apple_pay"), "channel": .text("in_app"), "origin": .text("app"),
                    "plan": .text("p"),
                    "accept": .array([.text("apple_pay_pass"), .text("stripe_ephemeral_key")]),
                    "apple_pay": .object([
                        "certificates": .array([.text("AQ=="), .text("Ag==")]), "nonce": .text("/w=="),
                        "nonce_signature": .text("AwQ="), "encoding": .text("base64"),
                    ]),
                ]))
        #expect(try JSONDecoder().decode(ProvisioningWish.self, from: JSONEncoder().encode(wish)) == wish)
    }

    @Test func membersThatAreNotTheAppsToSayAreLeftBehind() throws {
        let sent = Data(
            #"{"wallet":"google_pay","cardholder":{"id":"somebody_else"},"google_pay":{"wallet_id":"w"}}"#.utf8)
        let wish = try JSONDecoder().decode(ProvisioningWish.self, from: sent)
        let passedOn = String(decoding: try JSONEncoder().encode(wish), as: UTF8.self)
        #expect(!passedOn.contains("somebody_else") && passedOn.contains("wallet_id"))
    }
}
