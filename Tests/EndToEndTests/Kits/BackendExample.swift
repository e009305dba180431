import Foundation
import PassgateClient

/// What a backend answers its app with when the cardholder taps "Add to Apple Wallet".
func addToApplePay(
    _ passgate: Passgate, card: String, cardholder: String, asked: Data
) async throws -> (status: Int, body: Data) {
    let wish = try JSONDecoder().decode(ProvisioningWish.self, from: asked)
    let proof = CardholderProof(id: cardholder, authenticatedBy: "passkey", at: Date())
    do {
        let made = try await passgate.provision(card, wish, for: proof)
        return (201, made.handoff.json)
    } catch {
        guard case .problem(let problem) = error else { throw error }
        // `fresh_handshake` and `check_wallet_first` are the app's to act on; the text for people goes by the key.
        let advice = ["retry": problem.retry.rawValue, "text": problem.userMessageKey ?? ""]
        return (problem.status, try JSONEncoder().encode(advice))
    }
}
