import Gateway
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension JSONWriter {
    /// Writes a time member; nil writes `null`.
    mutating func member(_ name: String, _ time: Timestamp?) { member(name, time?.rfc3339) }

    /// Writes a list as every list is written.
    mutating func list<Element>(
        _ elements: [Element], nextCursor: String? = nil, _ write: (inout JSONWriter, Element) -> Void
    ) {
        object { json in
            json.member("object", "list")
            json.member("data", array: { json in for element in elements { write(&json, element) } })
            json.member("next_cursor", nextCursor)
        }
    }

    /// Writes a card.
    ///
    /// - Parameter serving: The connection that serves its next attempt.
    mutating func card(_ card: StoredCard, serving: String?, connections: [String: Connection]) {
        object { json in
            json.member("object", "card")
            json.member("id", card.key.id)
            json.member("program", card.key.program)
            json.member(
                "cardholder",
                object: { json in
                    json.member("id", card.cardholderID)
                    json.member("name", card.cardholderName)
                })
            json.member("title", card.title)
            json.member("art_url", card.artURL)
            if let metadata = card.metadata {
                json.member("metadata", verbatim: SecretBytes(utf8: metadata))
            } else {
                json.member("metadata", nil as String?)
            }
            json.member(
                "bindings",
                array: { json in
                    for binding in card.bindings {
                        json.binding(binding, provider: connections[binding.card.connection]?.descriptor.id)
                    }
                })
            json.member("serving", serving)
            json.member("created_at", card.createdAt)
            json.member("updated_at", card.updatedAt)
        }
    }

    private mutating func binding(_ binding: StoredBinding, provider: String?) {
        object { json in
            json.member("connection", binding.card.connection)
            json.member("provider", provider)
            json.member("provider_card_id", binding.card.providerCardID)
            json.member("former_ids", array: { json in for id in binding.formerIDs { json.value(id) } })
            json.member("provider_cardholder_id", binding.card.providerCardholderID)
            json.member("last4", binding.card.last4)
            json.member("network", binding.card.network.description)
            json.member("product_id", binding.card.productID)
            json.member("state", binding.state.rawValue)
        }
    }
}
