import ProviderKit
import Provisioning
import Sandbox

/// Stripe's mobile SDK as far as the laboratory needs it: it takes the whole key object, makes the wallet's handshake by
/// itself, and asks Stripe for the payload with the key's secret.
struct StripeSDK: ProcessorSDK {
    /// The version that the SDK asks its key provider for: that of the iOS sample.
    static let version = "2020-08-27"

    let stripe: StripeEmulator

    let handoff = HandoffType.stripeEphemeralKey

    func writeMembers(into json: inout JSONWriter) {
        json.member("client", object: { json in json.member("stripe_api_version", Self.version) })
    }

    func redeem(_ handoff: JSONView, for wallet: Wallet) async throws(DeviceFailure) -> DeviceVerdict {
        guard handoff["type"]?.equals(self.handoff.rawValue) == true, let key = handoff["ephemeral_key"] else {
            throw DeviceFailure("the handoff is no ephemeral key")
        }
        for name in ["id", "created", "secret", "expires", "associated_objects", "livemode"] where key[name] == nil {
            throw DeviceFailure("the SDK rejects the key: it has no \(name)")
        }
        let card = key["associated_objects"]?.elements?.first { $0["type"]?.equals("issuing.card") == true }?["id"]
        guard let secret = key["secret"]?.secretText, let card = card?.string else {
            throw DeviceFailure("the SDK rejects the key: it opens no issuing.card")
        }
        switch wallet {
        case .applePay: return try await addPass(card, secret)
        case .googlePay: return try await addOpaqueCard(card, secret)
        case .samsungPay: throw DeviceFailure("the SDK does not push to Samsung Pay")
        }
    }

    /// PassKit gives the SDK a handshake; Stripe's payload finishes it.
    private func addPass(_ card: String, _ secret: SecretText) async throws(DeviceFailure) -> DeviceVerdict {
        let attempt = try SimulatedPhone(network: stripe.network).beginPass()
        var query = attempt.certificates.enumerated().map { index, certificate in
            ("ios[certificates][\(index)]", Base64.encode(certificate))
        }
        query.append(("ios[nonce]", Hexadecimal.encode(attempt.nonce).revealText() ?? ""))
        query.append(("ios[nonce_signature]", Hexadecimal.encode(attempt.nonceSignature).revealText() ?? ""))
        let details = try await details(card, secret, query)
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            json.member("type", HandoffType.applePayPass.rawValue)
            json.member("activation_data", details["activation_data"]?.secretText)
            json.member("encrypted_pass_data", details["contents"]?.secretText)
            json.member("ephemeral_public_key", details["ephemeral_public_key"]?.secretText)
        }
        guard let pass = try? stripe.json.parse(json.finish()).root else {
            throw DeviceFailure("the payload cannot be read")
        }
        let verdict = try attempt.finish(pass)
        return DeviceVerdict(deed: "presented the key, \(verdict.deed)", token: verdict.token)
    }

    /// The SDK asks Google's wallet for its ids; Stripe's payload is the opaque card.
    private func addOpaqueCard(_ card: String, _ secret: SecretText) async throws(DeviceFailure) -> DeviceVerdict {
        let query = ["wallet_account_id", "device_id"].map { name in
            ("android[\(name)]", StripeState.newID("sim-"))
        }
        let details = try await details(card, secret, query + [("expand[]", "card")])
        guard let contents = details["contents"]?.secretText else {
            throw DeviceFailure("the payload has no contents")
        }
        let token = try stripe.network.open(contents, as: .tokenServiceProvider)
        return DeviceVerdict(deed: "presented the key, opened the card", token: token)
    }

    private func details(_ card: String, _ secret: SecretText, _ query: [(name: String, value: String)])
        async throws(DeviceFailure) -> JSONView
    {
        let text = query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        let answer = await stripe.handle(
            EmulatedRequest(
                method: "GET", path: "/v1/issuing/cards/\(card)/push_provisioning_details",
                query: text.joined(separator: "&"),
                headers: [
                    ("authorization", "Bearer \(secret.reveal())"), ("stripe-version", Self.version),
                ]))
        guard answer.status == 200, let details = try? stripe.json.parse(answer.body).root else {
            throw DeviceFailure("Stripe does not take the key: \(answer.status)")
        }
        return details
    }
}
