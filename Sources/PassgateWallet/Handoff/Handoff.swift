public import Foundation
public import PassgateContract

/// What the app needs to finish adding the card, as its backend passes it on. It is seen once and never shown: hand it to
/// the wallet or the SDK, and let go of it.
public enum Handoff: Sendable, Concealed {
    /// For `PKAddPaymentPassRequest`.
    case applePayPass(ApplePayPass)
    /// For Google's push provisioning.
    case googlePayOpaqueCard(GooglePayOpaqueCard)
    /// For Stripe's mobile SDK.
    case stripeEphemeralKey(StripeEphemeralKey)
    /// For Checkout.com's mobile SDK, over Thales D1.
    case d1Authorization(D1Authorization)
    /// For the Thales TPC SDK.
    case tpcAuthorization(TPCAuthorization)
    /// One that this app build does not know. It does not come to an app that sends `accept`.
    case unknown(type: String)

    /// Reads a handoff from its JSON: the bytes that the gateway put under `handoff`, or any that mean the same.
    ///
    /// - Throws: ``HandoffFault``; it quotes nothing of the bytes.
    public init(json: Data) throws(HandoffFault) {
        guard let kind = try? JSONDecoder().decode(Kind.self, from: json).type else { throw .noHandoff }
        do {
            switch HandoffType(rawValue: kind) {
            case .applePayPass: self = .applePayPass(try Self.read(json))
            case .googlePayOpaqueCard: self = .googlePayOpaqueCard(try Self.read(json))
            case .stripeEphemeralKey: self = .stripeEphemeralKey(try StripeEphemeralKey(json: json))
            case .d1Authorization: self = .d1Authorization(try Self.read(json))
            case .tpcAuthorization: self = .tpcAuthorization(try Self.read(json))
            case .other(let word): self = .unknown(type: word)
            }
        } catch {
            throw .incomplete(HandoffType(rawValue: kind))
        }
    }

    /// The kind of handoff.
    public var type: HandoffType {
        switch self {
        case .applePayPass: .applePayPass
        case .googlePayOpaqueCard: .googlePayOpaqueCard
        case .stripeEphemeralKey: .stripeEphemeralKey
        case .d1Authorization: .d1Authorization
        case .tpcAuthorization: .tpcAuthorization
        case .unknown(let word): .other(word)
        }
    }

    private struct Kind: Decodable {
        let type: String
    }

    private static func read<Payload: Decodable>(_ json: Data) throws -> Payload {
        try JSONDecoder().decode(Payload.self, from: json)
    }
}
