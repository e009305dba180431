public import ProviderKit
import Provisioning
public import Storage

extension JSONWriter {
    /// Writes a normalised event: the same bytes for whoever reads it, and for destinations.
    public mutating func event(_ event: StoredEvent) {
        object { json in
            json.member("object", "event")
            json.member("id", event.id)
            json.member("type", event.type)
            json.member("program", event.program)
            json.member("card", event.card)
            json.member("sequence", Int(event.sequence))
            json.member("created_at", event.createdAt.rfc3339)
            json.member(
                "data",
                object: { json in for member in event.members { json.member(member.name, member.value) } })
        }
    }
}
