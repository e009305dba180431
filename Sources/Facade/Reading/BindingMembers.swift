import Gateway
import Provisioning

/// Reads what names a card at a processor, wherever it stands.
enum BindingMembers {
    private static let names = ["provider_card_id", "provider_cardholder_id", "last4", "network", "product_id"]
    /// With the connection's name.
    static let known = KnownMembers(["connection"] + names)
    /// Where the path names the connection.
    static let knownOfConnection = KnownMembers(names + ["state"])

    /// A binding that names its connection.
    static func read(_ reader: ObjectReader) -> CardBinding? {
        reader.require("connection")
        let connection = reader.text("connection", limit: 64)
        let binding = read(reader, at: connection ?? "")
        return connection == nil ? nil : binding
    }

    /// A binding at that connection.
    static func read(_ reader: ObjectReader, at connection: String) -> CardBinding? {
        for name in ["provider_card_id", "last4", "network"] { reader.require(name) }
        let providerCardID = reader.text("provider_card_id", limit: 128)
        let providerCardholderID = reader.text("provider_cardholder_id", limit: 128)
        let productID = reader.text("product_id", limit: 128)
        let last4 = reader.last4("last4")
        let network = readNetwork(reader)
        guard let providerCardID, let last4, let network else { return nil }
        return CardBinding(
            connection: connection, providerCardID: providerCardID, providerCardholderID: providerCardholderID,
            last4: last4, network: network, productID: productID)
    }

    private static func readNetwork(_ reader: ObjectReader) -> CardNetwork? {
        guard let text = reader.text("network", limit: 64) else { return nil }
        if let network = CardNetwork(text) { return network }
        reader.refuse(
            "network", "invalid_form",
            "must be `visa`, `mastercard`, `amex`, `discover`, or a domestic scheme of 2 to 32 of a-z, 0-9 and _")
        return nil
    }
}
