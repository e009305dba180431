import ProviderKit
public import SecretMemory

/// A device account number as the simulated network makes it. Everything in it is invented.
public struct SimulatedToken: Sendable, Equatable, CustomStringConvertible {
    /// Sixteen digits in the place of the card's number.
    public let number: SecretText
    /// The last four digits of the card that it stands for.
    public let cardLast4: String
    /// The card's network.
    public let network: String
    /// The cardholder's name, as the processor was given it.
    public let cardholderName: String
    /// The network's name for the token.
    public let reference: String

    /// The last four digits of the token's own number.
    public var last4: String { String(number.reveal().suffix(4)) }

    /// What may be shown of it.
    public var description: String { "simulated \(network) token ••\(last4) for card ••\(cardLast4)" }

    /// A token with a number of its own.
    public static func new(for cardLast4: String, network: String, cardholderName: String) -> SimulatedToken {
        func digits(_ count: Int) -> String { (0..<count).map { _ in String(Int.random(in: 0...9)) }.joined() }
        return SimulatedToken(
            number: SecretText("489537" + digits(10)), cardLast4: cardLast4, network: network,
            cardholderName: cardholderName, reference: "SIMULATED" + digits(15))
    }

    /// The token as JSON, which is what is sealed.
    func encoded(purpose: String) -> SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member("simulated", true)
            json.member("purpose", purpose)
            json.member("token", number)
            json.member("card_last4", cardLast4)
            json.member("network", network)
            json.member("cardholder_name", cardholderName)
            json.member("reference", reference)
        }
        return json.finish()
    }

    /// Reads what ``encoded(purpose:)`` wrote; nil where it is something else.
    init?(_ view: JSONView, purpose: String) {
        guard view["simulated"]?.bool == true, view["purpose"]?.equals(purpose) == true,
            let number = view["token"]?.secretText, let cardLast4 = view["card_last4"]?.string,
            let network = view["network"]?.string, let name = view["cardholder_name"]?.string,
            let reference = view["reference"]?.string
        else { return nil }
        self.number = number
        self.cardLast4 = cardLast4
        self.network = network
        self.cardholderName = name
        self.reference = reference
    }

    private init(number: SecretText, cardLast4: String, network: String, cardholderName: String, reference: String) {
        self.number = number
        self.cardLast4 = cardLast4
        self.network = network
        self.cardholderName = cardholderName
        self.reference = reference
    }
}
