public import PassgateContract

/// Opaque payment cards for Google's push provisioning. The app adds the cardholder's address; no gateway knows it.
public struct GooglePayOpaqueCard: Sendable, Codable, Concealed {
    /// A network or token service provider in Google's words.
    public enum Constant: Sendable, Hashable, Codable {
        /// A TapAndPay constant, for the Android SDK.
        case number(Int)
        /// A name, for the web library.
        case name(String)

        /// Reads a number or a text.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .name(try container.decode(String.self))
            }
        }

        /// Writes what was read.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .name(let name): try container.encode(name)
            }
        }
    }

    /// The card for the token service provider, `opaquePaymentCard`: adds the card to a device.
    public let tokenCard: String?
    /// The card for the cardholder's Google account.
    public let accountCard: String?
    /// The network.
    public let network: Constant?
    /// The token service provider. Its numbering differs from the networks'.
    public let tokenServiceProvider: Constant?
    /// `lastDigits`
    public let last4: String
    /// `displayName`
    public let displayName: String

    private enum CodingKeys: String, CodingKey {
        case network, last4
        case tokenCard = "token_card"
        case accountCard = "account_card"
        case tokenServiceProvider = "token_service_provider"
        case displayName = "display_name"
    }
}
