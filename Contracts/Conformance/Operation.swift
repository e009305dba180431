public import Provisioning

/// What is asked of a provider.
public enum Operation: Sendable, Hashable, CustomStringConvertible {
    /// A handoff for a wallet on a channel.
    case provision(WalletSupport)
    /// Whether a card can be added to a wallet.
    case eligibility(Wallet)

    /// Such as `apple_pay in_app` or `eligibility for apple_pay`.
    public var description: String {
        switch self {
        case .provision(let row): "\(row.wallet.rawValue) \(row.channel.rawValue)"
        case .eligibility(let wallet): "eligibility for \(wallet.rawValue)"
        }
    }

    /// The folder of its fixtures, such as `apple_pay_in_app` or `eligibility`.
    public var group: String {
        switch self {
        case .provision(let row): "\(row.wallet.rawValue)_\(row.channel.rawValue)"
        case .eligibility: "eligibility"
        }
    }

    /// All that the descriptor offers.
    public static func all(of descriptor: ProviderDescriptor) -> [Operation] {
        var wallets: [Wallet] = []
        for row in descriptor.wallets where !wallets.contains(row.wallet) { wallets.append(row.wallet) }
        return descriptor.wallets.map { .provision($0) } + wallets.map { .eligibility($0) }
    }
}
