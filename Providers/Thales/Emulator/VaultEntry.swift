import Provisioning
import SecretMemory

/// A card as the emulated vault keeps it. Its number is computed from its id, and invented.
struct VaultEntry: Sendable {
    /// Digits with a right check digit, unless the card's id says otherwise.
    let number: SecretText
    let network: CardNetwork
    let expiry = "1131"
    var cardholderName = "Ian Crease"

    /// The last four digits.
    var last4: String { String(number.reveal().suffix(4)) }

    /// A card of that id.
    init(id: String, network: CardNetwork = .visa) {
        self.network = network
        number = SecretText(Self.digits(of: id, network))
    }

    /// The network's own prefix, digits that depend on the id, and the check digit of ISO/IEC 7812.
    private static func digits(of id: String, _ network: CardNetwork) -> String {
        let (prefix, length) =
            switch network {
            case .mastercard: ([5, 5], 16)
            case .amex: ([3, 7], 15)
            case .discover: ([6, 0, 1, 1], 16)
            default: ([4], 16)
            }
        var hash = id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
        var digits = prefix
        while digits.count < length - 1 {
            hash = hash &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            digits.append(Int(hash >> 40) % 10)
        }
        let sum = digits.reversed().enumerated().reduce(0) { sum, item in
            let (index, digit) = item
            return sum + (index.isMultiple(of: 2) ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit)
        }
        return (digits + [(10 - sum % 10) % 10]).map(String.init).joined()
    }
}
