import Provisioning
import Storage

extension StoredDestination {
    static func sample(_ id: String = "dest_1", program: String = "rides") -> StoredDestination {
        StoredDestination(
            id: id, program: program, url: "https://hooks.example/\(id)", sealedSecret: "first",
            createdAt: Moment.start, updatedAt: Moment.start)
    }
}

extension DeliveryQuery {
    static func to(_ destination: String, _ status: StoredDelivery.Status? = nil) -> DeliveryQuery {
        DeliveryQuery(destination: destination, status: status, page: PageRequest(limit: 100))
    }
}

extension OutgoingClaim {
    static func sample(_ holder: String = "one", after milliseconds: Int64) -> OutgoingClaim {
        OutgoingClaim(
            now: Moment.after(milliseconds), holder: holder, leaseUntil: Moment.after(milliseconds + 60_000),
            limit: 100, limitPerDestination: 4)
    }
}

extension OutgoingEnd {
    static func sample(
        _ number: Int64, holder: String = "one", _ outcome: OutgoingEnd.Outcome, after milliseconds: Int64,
        status: Int? = 200
    ) -> OutgoingEnd {
        OutgoingEnd(
            number: number, holder: holder, at: Moment.after(milliseconds), outcome: outcome,
            attempt: StoredDelivery.Attempt(
                at: Moment.after(milliseconds - 1), milliseconds: 1, status: status,
                failure: status == nil ? "unreachable" : nil))
    }
}
