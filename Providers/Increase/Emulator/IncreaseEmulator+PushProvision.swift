import ProviderKit
import Provisioning
import Sandbox
import SecretMemory

extension IncreaseEmulator {
    /// Answers `POST /cards/{id}/push_provision`. The resource is the card, where the call did its work.
    func pushProvision(_ id: String, _ body: SecretBytes, _ state: inout IncreaseState)
        -> (EmulatedResponse, resource: String?)
    {
        let magic = MagicCard.named(id) ?? .ok
        if let refusal = refusal(ofCard: id) ?? refusal(ofPush: magic) { return (refusal.response, nil) }
        guard let view = try? json.parse(body).root else {
            return (IncreaseError.malformedRequest("The body is not JSON.").response, nil)
        }
        var reader = StrictReader()
        guard let order = PushProvisionOrder.read(view, with: &reader) else {
            return (IncreaseError.invalidParameters(reader.problems).response, nil)
        }
        guard let card = state.card(id, at: clock.now) else { return (IncreaseError.notFound("card").response, nil) }
        guard card.status == "active" || magic == .unheardof else {
            return (IncreaseError.invalidOperation("The card is \(card.status).").response, nil)
        }
        if let spoiled = answerWithoutWork(magic) { return (spoiled, nil) }
        do throws(PushRefusal) {
            let answer = try perform(order, for: card, magic, &state)
            return (spoil(answer, magic), card.id)
        } catch {
            reader.refuse(error.field, error.message)
            return (IncreaseError.invalidParameters(reader.problems).response, nil)
        }
    }

    private func perform(
        _ order: PushProvisionOrder, for card: IncreaseCard, _ magic: MagicCard, _ state: inout IncreaseState
    ) throws(PushRefusal) -> EmulatedResponse {
        let number = SimulatedToken.new(for: card.last4, network: "visa", cardholderName: order.cardholderName)
        var json = JSONWriter()
        switch order.channel {
        case .applePayInApp(let certificates, let nonce, let signature):
            let pass = try sealPass(number, certificates, nonce, signature, &state)
            json.object { json in
                json.member("channel", "apple_pay_in_app")
                json.member("apple_pay_in_app", object: { json in write(pass, magic, into: &json) })
            }
            addToken(number, card, magic, "apple_pay", device: nil, &state)
        case .googlePayInApp(let device, _, let session):
            try spend(session, at: "google_pay_in_app.server_session_identifier", &state)
            let cards = OpaqueCards(token: true, account: session != nil)
            try write(cards, of: number, channel: "google_pay_in_app", into: &json)
            addToken(number, card, magic, "google_pay", device: device, &state)
        case .googlePayWeb(let session, let device, let wallet):
            try spend(session, at: "google_pay_web.server_session_identifier", &state)
            let hasDevice = device != nil && wallet != nil
            try write(
                OpaqueCards(token: hasDevice, account: true), of: number, channel: "google_pay_web", into: &json)
            if hasDevice { addToken(number, card, magic, "google_pay", device: device, &state) }
        }
        return .json(200, json.finish())
    }

    /// Checks the handshake, spends its nonce, and seals the pass to the leaf's key.
    private func sealPass(
        _ number: SimulatedToken, _ certificates: [[UInt8]], _ nonce: SecretBytes, _ signature: SecretBytes,
        _ state: inout IncreaseState
    ) throws(PushRefusal) -> SealedPass {
        let path = "apple_pay_in_app"
        if state.spentNonces.contains(nonce.reveal()) {
            throw PushRefusal(field: "\(path).nonce", message: "was used before")
        }
        do throws(SimulatedNetwork.Refusal) {
            let leaf = try network.verify(certificates: certificates, nonce: nonce, signature: signature)
            state.spentNonces.insert(nonce.reveal())
            return try network.seal(number, to: leaf, nonce: nonce)
        } catch {
            throw PushRefusal(field: "\(path).\(error.member)", message: error.message)
        }
    }

    private func write(_ pass: SealedPass, _ magic: MagicCard, into json: inout JSONWriter) {
        json.member("activation_data", base64: pass.activationData)
        json.member("encrypted_pass_data", base64: pass.encryptedPassData)
        json.member("encryption_version", magic == .unheardof ? "EV_UNHEARD_OF_v9" : "EV_ECC_v2")
        json.member("ephemeral_public_key", base64: pass.ephemeralPublicKey)
    }

    private struct OpaqueCards {
        let token: Bool
        let account: Bool
    }

    private func write(
        _ cards: OpaqueCards, of number: SimulatedToken, channel: String, into json: inout JSONWriter
    ) throws(PushRefusal) {
        let token: SecretText?
        let account: SecretText?
        do throws(SimulatedNetwork.Refusal) {
            token = cards.token ? try network.opaqueCard(number, for: .tokenServiceProvider) : nil
            account = cards.account ? try network.opaqueCard(number, for: .googleAccount) : nil
        } catch {
            throw PushRefusal(field: channel, message: error.message)
        }
        json.object { json in
            json.member("channel", channel)
            json.member(
                channel,
                object: { json in
                    if let token { json.member("token_service_provider_opaque_payment_card", token) }
                    if let account { json.member("google_opaque_payment_card", account) }
                })
        }
    }

    private func spend(_ session: String?, at field: String, _ state: inout IncreaseState) throws(PushRefusal) {
        guard let session else { return }
        if !state.spentSessions.insert(session).inserted {
            throw PushRefusal(field: field, message: "was used before")
        }
    }

    func addToken(
        _ number: SimulatedToken, _ card: IncreaseCard, _ magic: MagicCard, _ requestor: String, device: String?,
        _ state: inout IncreaseState
    ) {
        if magic == .notoken { return }
        state.tokens.append(
            IncreaseToken(
                id: IncreaseState.newID("digital_wallet_token"), cardID: card.id,
                cardholderName: number.cardholderName, createdAt: clock.now, requestor: requestor,
                deviceType: "mobile_phone", deviceIdentifier: device,
                status: magic == .yellow ? "inactive" : "active", numberLast4: number.last4,
                reference: number.reference))
    }
}

/// Why a handshake was refused, by member.
struct PushRefusal: Error {
    let field: String
    let message: String
}
