import Foundation
import JSON
import PassgateClient
import PassgateWallet
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing
import ThalesEmulator

/// A platform's backend that calls a real gateway with the kit, and its app on simulated devices.
struct KitHouse {
    let house: House
    let executor: KitExecutor
    let passgate: Passgate

    static func with(_ body: (KitHouse) async throws -> Void) async throws {
        try await House.with(
            adjusting: { $0.additions += "event_destinations: { allow_private: true }\n" },
            { [StripeEmulator(json: JSONParser(), network: $0), ThalesEmulator(json: JSONParser())] }
        ) { house in
            let executor = KitExecutor(house.transport)
            let passgate = Passgate(
                url: house.gateway.configuration.url, apiKey: house.gateway.configuration.apiKey.reveal(),
                executor: executor)
            try await body(KitHouse(house: house, executor: executor, passgate: passgate))
        }
    }

    /// Takes an answer, and expects that the kit has read all of it.
    @discardableResult
    func whole<Answer: Encodable>(_ answer: Answer, location: SourceLocation = #_sourceLocation) throws -> Answer {
        try executor.expectWhole(answer, location: location)
        return answer
    }

    /// The problem that a call comes to.
    func problem(
        _ call: () async throws -> Void, location: SourceLocation = #_sourceLocation
    ) async throws -> PassgateProblem {
        do {
            try await call()
        } catch let error as PassgateError {
            let problem = try #require(error.problem, sourceLocation: location)
            try executor.expectWhole(problem, location: location)
            return problem
        }
        throw House.UnexpectedAnswer(line: "it succeeded")
    }

    /// The cardholder, who was authenticated just now.
    static var proof: CardholderProof { CardholderProof(id: "user_1", authenticatedBy: "passkey", at: Date()) }

    static func draft(_ connection: String, _ id: String, last4: String) -> CardDraft {
        CardDraft(
            binding: BindingDraft(connection: connection, providerCardID: id, last4: last4, network: "visa"),
            cardholder: CardholderDraft(id: "user_1", name: "Ian Crease"), title: "Laboratory Card",
            artURL: "https://a.example/card.png",
            metadata: ["tier": .text("gold"), "years": .integer(3), "vip": .flag(true)])
    }

    /// What an app makes of PassKit's handshake: the wish as it travels to the backend, and back into a value.
    func wish(_ attempt: PassAttempt, plan: String? = nil) throws -> ProvisioningWish {
        let handshake = ApplePayHandshake(
            certificates: attempt.certificates.map { Data($0) }, nonce: Data(attempt.nonce.reveal()),
            nonceSignature: Data(attempt.nonceSignature.reveal()))
        let made = ProvisioningWish.applePay(handshake, accept: HandoffType.accepted(for: .applePay), plan: plan)
        return try JSONDecoder().decode(ProvisioningWish.self, from: JSONEncoder().encode(made))
    }

    /// Puts Stripe's card into Google Pay by Stripe's SDK.
    func addByStripe(_ card: String) async throws {
        let wish = ProvisioningWish.googlePay(
            nil, accept: HandoffType.accepted(for: .googlePay, with: [.stripe]),
            client: AppSDK(stripeAPIVersion: "2020-08-27"))
        let made = try await passgate.provision(card, wish, for: Self.proof)
        try whole(made.record)
        guard case .stripeEphemeralKey(let key) = try Handoff(json: made.handoff.json) else {
            throw House.UnexpectedAnswer(line: "it is no key")
        }
        #expect(key.dictionary?["object"] as? String == "ephemeral_key" && key.apiVersion == "2020-08-27")
        try await house.redeemByStripe(SecretBytes([UInt8](made.handoff.json)))
    }
}
