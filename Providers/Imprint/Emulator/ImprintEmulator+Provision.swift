import ProviderKit
import Provisioning
import Sandbox
import SecretMemory

extension ImprintEmulator {
    /// Answers `POST /v2/payment_methods/{id}/provision/{wallet}`.
    func provision(
        _ id: String, _ wallet: String, _ request: EmulatedRequest, _ state: inout ImprintState
    ) throws(ImprintError) -> EmulatedResponse {
        guard ["apple_pay", "google_pay"].contains(wallet) else { throw .walletUnsupported(wallet) }
        guard let method = state.method(id, at: clock.now) else { throw .paymentMethodNotFound }
        if let refusal = refusal(of: method.magic, wallet, path: request.path) { throw refusal }
        guard method.type == "CARD", method.status == "ACTIVE" else { throw .inactive(method.shownStatus) }
        guard let view = try? json.parse(request.body).root else {
            throw .framework(
                status: 400, error: "Bad Request", path: request.path, details: ["The body is not JSON."])
        }
        var reader = StrictReader()
        guard let order = ProvisionOrder.read(view, for: wallet, with: &reader) else {
            let problems = reader.problems.map { "\($0.field.isEmpty ? "the body" : $0.field) \($0.message)" }
            throw .invalidRequest(problems.joined(separator: "; "))
        }
        if let answer = answerWithoutWork(method.magic) { return answer }
        return spoil(try perform(order, for: method, &state), method.magic)
    }

    private func perform(_ order: ProvisionOrder, for method: PaymentMethod, _ state: inout ImprintState)
        throws(ImprintError) -> EmulatedResponse
    {
        let token = SimulatedToken.new(for: PaymentMethod.last4, network: "visa", cardholderName: "Imprint Cardholder")
        var json = JSONWriter()
        switch order {
        case .applePay(let certificates, let nonce, let signature):
            let pass = try sealPass(token, certificates, nonce, signature, for: method, &state)
            let hasToken = method.magic != .noToken
            if hasToken {
                state.methods[method.id]?.tokens.append(
                    PaymentMethod.Token(
                        reference: token.reference, createdAt: method.magic == .undated ? nil : clock.now))
            }
            state.methods[method.id]?.devices.insert(certificates[1])
            write("apple_pay", into: &json) { json in
                json.member("activation_data", base64: pass.activationData)
                json.member("encrypted_pass_data", base64: pass.encryptedPassData)
                json.member("ephemeral_public_key", base64: pass.ephemeralPublicKey)
            }
        case .googlePay:
            let card: SecretText
            do throws(SimulatedNetwork.Refusal) {
                card = try network.opaqueCard(token, for: .tokenServiceProvider)
            } catch {
                throw .invalidRequest("\(error.member) \(error.message)")
            }
            write("google_pay", into: &json) { json in
                json.member("opaque_payment_card", card)
                let isUnheardOf = method.magic == .dormant
                json.member("network", isUnheardOf ? "QUANTUM" : "VISA")
                json.member("wallet_type", isUnheardOf ? "GOOGLE_PAY_2" : "GOOGLE_PAY")
            }
        }
        return .json(200, json.finish())
    }

    /// Checks the handshake, spends its nonce, and seals the pass to the leaf's key.
    private func sealPass(
        _ token: SimulatedToken, _ certificates: [[UInt8]], _ nonce: SecretBytes, _ signature: SecretBytes,
        for method: PaymentMethod, _ state: inout ImprintState
    ) throws(ImprintError) -> SealedPass {
        if state.spentNonces.contains(nonce.reveal()) { throw .invalidRequest("nonce was used before") }
        do throws(SimulatedNetwork.Refusal) {
            let leaf = try network.verify(certificates: certificates, nonce: nonce, signature: signature)
            state.spentNonces.insert(nonce.reveal())
            if !method.devices.contains(certificates[1]) { return try network.seal(token, to: leaf, nonce: nonce) }
        } catch {
            throw .invalidRequest("\(error.member) \(error.message)")
        }
        throw .alreadyProvisioned
    }

    private func write(
        _ wallet: String, into json: inout JSONWriter, _ payload: (inout JSONWriter) -> Void
    ) {
        json.object { json in
            json.member("wallet", wallet)
            json.member("provisioning_payload", object: payload)
        }
    }
}
