import ProviderKit
import Provisioning
import SecretMemory
import Storage

/// What a replay is answered with.
struct ReplayAnswer: Sendable {
    let destination: String
    let queued: Int
    let nextEvent: String?
}

extension JSONWriter {
    /// Writes a destination, with its secret where it was just made, and with its deliveries where they were asked for.
    mutating func destination(
        _ destination: StoredDestination, secret: SecretText? = nil, deliveries: Page<StoredDelivery>? = nil
    ) {
        object { json in
            json.member("object", "event_destination")
            json.member("id", destination.id)
            json.member("program", destination.program)
            json.member("url", destination.url)
            json.member("status", destination.status.rawValue)
            if let secret { json.member("secret", secret) }
            json.member("former_secret_until", destination.formerUntil)
            json.member("created_at", destination.createdAt)
            json.member("updated_at", destination.updatedAt)
            if let deliveries {
                json.key("deliveries")
                json.list(deliveries.elements, nextCursor: deliveries.nextCursor) { $0.delivery($1) }
            }
        }
    }

    private mutating func delivery(_ delivery: StoredDelivery) {
        object { json in
            json.member("object", "event_delivery")
            json.member("event", delivery.event)
            json.member("type", delivery.type)
            json.member("card", delivery.card)
            json.member("status", delivery.status.rawValue)
            json.member("queued_at", delivery.queuedAt)
            json.member("next_attempt_at", delivery.nextAt)
            json.member(
                "attempts",
                array: { json in
                    for attempt in delivery.attempts {
                        json.object { json in
                            json.member("at", attempt.at)
                            json.member("duration_ms", attempt.milliseconds)
                            json.member("status", attempt.status)
                            json.member("failure", attempt.failure)
                        }
                    }
                })
        }
    }

    /// Writes what a replay came to.
    mutating func replay(_ answer: ReplayAnswer) {
        object { json in
            json.member("object", "event_replay")
            json.member("destination", answer.destination)
            json.member("queued", answer.queued)
            json.member("next_event", answer.nextEvent)
        }
    }
}
