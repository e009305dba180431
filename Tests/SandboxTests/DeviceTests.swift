import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

struct DeviceTests {
    let network = SimulatedNetwork()
    let token = SimulatedToken.new(for: "1881", network: "visa", cardholderName: "Ian Crease")

    private func view(_ write: (inout JSONWriter) -> Void) throws -> JSONView {
        var json = JSONWriter()
        json.object(write)
        return try JSONParser().parse(json.finish()).root
    }

    @Test func aPhonesHandshakeIsWhatANetworkAccepts() throws {
        let attempt = try SimulatedPhone(network: network).beginPass()
        let point = try network.verify(
            certificates: attempt.certificates, nonce: attempt.nonce, signature: attempt.nonceSignature)
        #expect(point.count == 65 && point.first == 4)
    }

    @Test func everyAttemptIsNew() throws {
        let phone = try SimulatedPhone(network: network)
        let first = try phone.beginPass()
        let second = try phone.beginPass()
        #expect(first.nonce != second.nonce && first.certificates[0] != second.certificates[0])
        #expect(first.certificates[1] == second.certificates[1])
    }

    @Test func aPassOpensWithItsDevicesKeyOnly() throws {
        let phone = try SimulatedPhone(network: network)
        let attempt = try phone.beginPass()
        let point = try network.verify(
            certificates: attempt.certificates, nonce: attempt.nonce, signature: attempt.nonceSignature)
        let pass = try network.seal(token, to: point, nonce: attempt.nonce)
        let handoff = try view { write(pass, into: &$0) }
        #expect(try attempt.finish(handoff).token == token)
        let other = try phone.beginPass()
        #expect(throws: DeviceFailure.self) { try other.finish(handoff) }
    }

    @Test(arguments: 0..<3)
    func anAlteredPassIsRefused(part: Int) throws {
        let attempt = try SimulatedPhone(network: network).beginPass()
        let point = try network.verify(
            certificates: attempt.certificates, nonce: attempt.nonce, signature: attempt.nonceSignature)
        let pass = try network.seal(token, to: point, nonce: attempt.nonce)
        var parts = [pass.activationData, pass.encryptedPassData, pass.ephemeralPublicKey].map { $0.reveal() }
        parts[part][parts[part].count - 1] ^= 1
        let altered = SealedPass(
            activationData: SecretBytes(parts[0]), encryptedPassData: SecretBytes(parts[1]),
            ephemeralPublicKey: SecretBytes(parts[2]))
        let handoff = try view { write(altered, into: &$0) }
        #expect(throws: DeviceFailure.self) { try attempt.finish(handoff) }
    }

    private func write(_ pass: SealedPass, into json: inout JSONWriter) {
        json.member("type", "apple_pay_pass")
        json.member("activation_data", base64: pass.activationData)
        json.member("encrypted_pass_data", base64: pass.encryptedPassData)
        json.member("ephemeral_public_key", base64: pass.ephemeralPublicKey)
    }

    private func opaqueHandoff(token tokenCard: SecretText?, account: SecretText?, last4: String = "1881") throws
        -> JSONView
    {
        try view { json in
            json.member("type", "google_pay_opaque_card")
            json.member("token_card", tokenCard)
            json.member("account_card", account)
            json.member("last4", last4)
        }
    }

    @Test func anAndroidPhoneOpensBothCards() throws {
        let attempt = try SimulatedAndroidPhone(network: network).begin()
        let tokenCard = try network.opaqueCard(token, for: .tokenServiceProvider)
        let account = try network.opaqueCard(token, for: .googleAccount)
        #expect(try attempt.finish(opaqueHandoff(token: tokenCard, account: account)).deed == "opened both cards")
        #expect(throws: DeviceFailure.self) { try attempt.finish(opaqueHandoff(token: account, account: tokenCard)) }
        #expect(throws: DeviceFailure.self) { try attempt.finish(opaqueHandoff(token: nil, account: account)) }
        #expect(throws: DeviceFailure.self) {
            try attempt.finish(opaqueHandoff(token: tokenCard, account: account, last4: "0000"))
        }
    }

    /// Not every processor has a use for the session.
    @Test func anAndroidPhoneIsContentWithTheTokenCard() throws {
        let tokenCard = try network.opaqueCard(token, for: .tokenServiceProvider)
        let account = try network.opaqueCard(token, for: .googleAccount)
        let attempt = try SimulatedAndroidPhone(network: network).begin()
        #expect(try attempt.finish(opaqueHandoff(token: tokenCard, account: nil)).deed == "opened the token card")
        let without = try SimulatedAndroidPhone(network: network, hasSession: false).begin()
        #expect(throws: DeviceFailure.self) { try without.finish(opaqueHandoff(token: tokenCard, account: account)) }
    }

    @Test func aBrowserWithoutADeviceWantsTheAccountCardOnly() throws {
        let attempt = try SimulatedBrowser(network: network, hasDevice: false).begin()
        let account = try network.opaqueCard(token, for: .googleAccount)
        #expect(try attempt.finish(opaqueHandoff(token: nil, account: account)).deed == "opened the account card")
    }

    @Test func twoNetworksInTwoProcessesAreOne() throws {
        let card = try network.opaqueCard(token, for: .googleAccount)
        #expect(try SimulatedNetwork().open(card, as: .googleAccount) == token)
    }

    @Test func nothingSecretIsInADescription() {
        #expect(!"\(token)".contains(token.number.reveal()) && "\(token)".contains("simulated"))
    }
}
