import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Synchronization

extension CheckoutEmulator {
    /// A card that D1 added to a wallet.
    struct Addition: Sendable {
        let digitalCardID: String
        let isVerified: Bool
        let token: SimulatedToken
    }

    /// Adds a card to a wallet for who shows an authorization, as D1 does for the SDK.
    func add(_ cardID: String, to wallet: Wallet, authorization: SecretText) throws(D1Refusal) -> Addition {
        let cardholderID = try d1.take(authorization)
        return try state.withLock { (state) throws(D1Refusal) in
            guard let card = state.card(cardID, at: clock.now), card.cardholderID == cardholderID,
                card.status == "active"
            else { throw D1Refusal.subject }
            let token = SimulatedToken.new(
                for: IssuedCard.lastFour, network: "mastercard", cardholderName: "Ian Crease")
            let digitalCard = addDigitalCard(token, of: cardID, in: wallet, &state)
            return Addition(
                digitalCardID: digitalCard.id, isVerified: digitalCard.status == "active", token: token)
        }
    }

    func addDigitalCard(
        _ token: SimulatedToken, of cardID: String, in wallet: Wallet, _ state: inout CheckoutState
    ) -> DigitalCard {
        let digitalCard = DigitalCard(
            id: CheckoutState.newID("dcr"), cardID: cardID,
            status: MagicCard.named(cardID) == .yellow ? "inactive" : "active", wallet: wallet,
            reference: token.reference, provisionedAt: clock.now)
        state.digitalCards.append(digitalCard)
        return digitalCard
    }

    /// Reads the card's state, in the Android SDK's words.
    func digitizationState(of cardID: String, authorization: SecretText) throws(D1Refusal) -> String {
        let cardholderID = try d1.take(authorization)
        return try state.withLock { (state) throws(D1Refusal) in
            guard let card = state.card(cardID, at: clock.now), card.cardholderID == cardholderID else {
                throw D1Refusal.subject
            }
            let cards = state.digitalCards.filter { $0.cardID == cardID }
            if cards.contains(where: { $0.status == "active" }) { return "DIGITIZED" }
            return cards.isEmpty ? "NOT_DIGITIZED" : "PENDING_IDV"
        }
    }

    /// Answers `POST /d1/provision` and `POST /d1/state`. How the SDK talks to D1 is not public: this form is simulated.
    func serveD1(_ call: String, _ request: EmulatedRequest) -> EmulatedResponse {
        guard request.method == "POST", call == "provision" || call == "state" else {
            return CheckoutError.notFound.response
        }
        var reader = StrictReader()
        let view = try? json.parse(request.body).root
        let known: Set = call == "state" ? ["jwt", "card_id"] : ["jwt", "card_id", "wallet"]
        let members = reader.members(of: view, at: "", known: known) ?? [:]
        let jwt = reader.text(members["jwt"], at: "jwt")
        let cardID = reader.text(members["card_id"], at: "card_id")
        let wallet = call == "state" ? .applePay : reader.text(members["wallet"], at: "wallet").flatMap(Wallet.init)
        guard let jwt, let cardID, let wallet, reader.problems.isEmpty else {
            return CheckoutError.invalid(reader.problems.map { "\($0.field)_invalid" } + ["body_invalid"]).response
        }
        var json = JSONWriter()
        do throws(D1Refusal) {
            let authorization = SecretText(jwt)
            if call == "state" {
                let state = try digitizationState(of: cardID, authorization: authorization)
                json.object { $0.member("state", state) }
            } else {
                let addition = try add(cardID, to: wallet, authorization: authorization)
                json.object { json in
                    json.member("digital_card_id", addition.digitalCardID)
                    json.member("state", addition.isVerified ? "DIGITIZED" : "PENDING_IDV")
                }
            }
            return .json(200, json.finish())
        } catch {
            json.object { json in
                json.member("error_reference", error.rawValue)
                json.member("securityEvent", true)
            }
            return .json(401, json.finish())
        }
    }
}
