import ProviderKit
import Provisioning
import Sandbox

extension StripeEmulator {
    /// Answers `GET /v1/issuing/cards/{card}/push_provisioning_details`, which Stripe's SDKs call with an ephemeral key.
    ///
    /// No page describes the call: its form is read off the SDKs.
    func pushDetails(
        _ id: String, _ request: EmulatedRequest, credential: String, version: String?, _ state: inout StripeState
    ) throws(StripeError) -> EmulatedResponse {
        let secret = SecretText(credential)
        guard let key = state.keys.first(where: { $0.secret == secret }) else { throw .wrongKey }
        guard clock.now < key.expiresAt else { throw .expiredKey }
        guard key.cardID == id else { throw .forbidden }
        guard version == key.version else {
            throw .invalid("The ephemeral key was made for another Stripe-Version.")
        }
        let order = try PushDetailsOrder(request)
        guard var card = state.card(id, at: clock.now) else {
            throw .noSuch("issuing card", status: 404, param: "card")
        }
        if ["inactive", "canceled"].contains(card.status) { throw .invalid("The card is \(card.status).") }
        let number = SimulatedToken.new(for: card.last4, network: "visa", cardholderName: card.cardholderName)
        let answer = try payload(of: number, for: order, card, &state)
        if card.primaryAccountIdentifier == nil {
            card.primaryAccountIdentifier = StripeState.newID("V-", length: 28)
            state.cards[id] = card
        }
        if card.magic != .notoken {
            let wallet = if case .ios = order { "apple_pay" } else { "google_pay" }
            addToken(number, of: card, in: wallet, &state)
        }
        return answer
    }

    @discardableResult
    func addToken(_ number: SimulatedToken, of card: StripeCard, in wallet: String, _ state: inout StripeState)
        -> StripeToken
    {
        let token = StripeToken(
            id: StripeState.newID("intok_1"), cardID: card.id, createdAt: clock.now, walletProvider: wallet,
            status: card.magic == .yellow ? "requested" : card.status, updatedAt: clock.now, last4: number.last4,
            reference: number.reference)
        state.tokens.append(token)
        return token
    }

    /// Seals the pass to the leaf's key, or the card for the token service provider.
    private func payload(
        of number: SimulatedToken, for order: PushDetailsOrder, _ card: StripeCard, _ state: inout StripeState
    ) throws(StripeError) -> EmulatedResponse {
        var json = JSONWriter(capacity: 4096)
        switch order {
        case .ios(let certificates, let nonce, let signature):
            let pass = try sealPass(number, certificates, nonce, signature, &state)
            json.object { json in
                json.member("object", "issuing.push_provisioning_details")
                json.member("card", card.id)
                json.member("contents", base64: pass.encryptedPassData)
                json.member("activation_data", base64: pass.activationData)
                json.member("ephemeral_public_key", base64: pass.ephemeralPublicKey)
            }
        case .android:
            guard let contents = try? network.opaqueCard(number, for: .tokenServiceProvider) else {
                throw .failure(shouldRetry: nil)
            }
            json.object { json in
                json.member("object", "issuing.push_provisioning_details")
                json.key("card")
                card.write(into: &json)
                json.member("contents", contents)
            }
        }
        return .json(200, json.finish())
    }

    /// Checks the handshake, spends its nonce, and seals the pass to the leaf's key.
    private func sealPass(
        _ number: SimulatedToken, _ certificates: [[UInt8]], _ nonce: SecretBytes, _ signature: SecretBytes,
        _ state: inout StripeState
    ) throws(StripeError) -> SealedPass {
        if state.spentNonces.contains(nonce.reveal()) {
            throw .invalid("The nonce was used before.", param: "ios[nonce]")
        }
        do throws(SimulatedNetwork.Refusal) {
            let leaf = try network.verify(certificates: certificates, nonce: nonce, signature: signature)
            state.spentNonces.insert(nonce.reveal())
            return try network.seal(number, to: leaf, nonce: nonce)
        } catch {
            throw .invalid(error.message, param: "ios[\(error.member)]")
        }
    }
}
