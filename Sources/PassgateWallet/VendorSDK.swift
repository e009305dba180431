public import PassgateContract

/// A processor's own SDK that an app may link. Each finishes one kind of handoff.
public enum VendorSDK: CaseIterable, Hashable, Sendable {
    /// Stripe's.
    case stripe
    /// Checkout.com's card management SDK.
    case checkout
    /// Thales's TPC SDK.
    case thalesTPC

    /// The handoff that it takes.
    public var handoff: HandoffType {
        switch self {
        case .stripe: .stripeEphemeralKey
        case .checkout: .d1Authorization
        case .thalesTPC: .tpcAuthorization
        }
    }
}

extension HandoffType {
    /// What an app build tells as `accept`: what it can finish for the wallet, by itself and with the SDKs that it links.
    ///
    /// Ship a build with both processors' SDKs before a migration: then nobody waits for an update.
    public static func accepted(for wallet: Wallet, with sdks: Set<VendorSDK> = []) -> [HandoffType] {
        let own: [HandoffType] =
            switch wallet {
            case .applePay: [.applePayPass]
            case .googlePay: [.googlePayOpaqueCard]
            case .samsungPay, .other: []
            }
        return own + VendorSDK.allCases.filter(sdks.contains).map(\.handoff)
    }
}
