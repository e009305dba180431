import Provisioning
import Storage

/// Moments of a test's own clock.
enum Moment {
    static let start = Timestamp(seconds: 1_700_000_000)
    static let hour: Int64 = 3_600_000
    static let day: Int64 = 24 * hour

    static func after(_ milliseconds: Int64) -> Timestamp { start.adding(milliseconds: milliseconds) }
}

extension AuditActor {
    static let backend = AuditActor(name: "backend")
}

extension CardKey {
    static func rides(_ id: String) -> CardKey { CardKey(program: "rides", id: id) }
}

extension CardBinding {
    static func increase(_ id: String) -> CardBinding {
        CardBinding(connection: "increase_main", providerCardID: id, last4: "4242", network: .visa)
    }
}

extension CardDraft {
    /// A draft that is whole.
    static func sample(
        _ id: String = "card_1", program: String = "rides", provider: String? = nil, cardholder: String = "user_1",
        at: Timestamp = Moment.start
    ) -> CardDraft {
        CardDraft(
            key: CardKey(program: program, id: id), binding: .increase(provider ?? "card_\(id)"),
            cardholderID: cardholder, cardholderName: "Zoë 山田 👩🏽‍🚀", title: "Rides", artURL: "https://art.example/1.png",
            metadata: #"{"plan":"gold"}"#, at: at)
    }

    /// A draft that changes nothing yet.
    static func change(_ id: String = "card_1", at: Timestamp = Moment.after(1)) -> CardDraft {
        CardDraft(
            key: .rides(id), binding: nil, cardholderID: nil, cardholderName: nil, title: nil, artURL: nil,
            metadata: nil, at: at)
    }
}

extension StoredProvisioning {
    /// An attempt that has just begun.
    static func sample(
        _ id: String = "prov_1", card: String = "card_1", program: String = "rides", at: Timestamp = Moment.start
    ) -> StoredProvisioning {
        StoredProvisioning(
            id: id, card: CardKey(program: program, id: card), provider: "increase", connection: "increase_main",
            providerCardID: "card_\(card)", wallet: .applePay, channel: .inApp, origin: .app,
            handoffType: .applePayPass, status: .sending, createdAt: at, deadlineAt: at.adding(milliseconds: 15_000),
            repairs: [StoredRepair(pointer: "/apple_pay/nonce", word: "padding_added")],
            warnings: [StoredRepair(pointer: "/apple_pay/certificates/0", word: "certificate_expired")],
            timeline: [
                TimelineStep(at: at, step: "received", source: "gateway"),
                TimelineStep(at: at, step: "checked", source: "gateway", code: "ok", detail: "Zwölf Prüfungen ✓"),
            ], instance: "one")
    }

    /// The attempt, ended.
    func ended(_ status: ProvisioningStatus, after milliseconds: Int64 = 700) -> StoredProvisioning {
        var record = self
        let at = createdAt.adding(milliseconds: milliseconds)
        record.status = status
        record.updatedAt = at
        record.attempts = 1
        record.timeline.append(TimelineStep(at: at, step: status.rawValue, source: "gateway"))
        switch status {
        case .handedOff, .undelivered:
            record.sentAt = createdAt.adding(milliseconds: 10)
            record.expiresAt = at.adding(milliseconds: 60_000)
            record.handoffBytes = 2048
            record.handoffDigest = Array(0..<32)
        default:
            record.failure = StoredFailure(
                code: .providerRejected, outcome: .refused, situation: .sentSingleUse, reason: "card_frozen",
                upstream: UpstreamReport(status: 422, code: "invalid_operation", requestID: "req_1"))
        }
        return record
    }
}

extension Reservation {
    static func sample(
        _ record: StoredProvisioning = .sample(), digest: [UInt8]? = Array("digest".utf8),
        claim: IdempotencyClaim? = nil
    ) -> Reservation {
        Reservation(
            record: record, card: .sample(.increase(record.providerCardID)), handshakeDigest: digest,
            handshakeExpiresAt: record.createdAt.adding(milliseconds: Moment.day), idempotency: claim)
    }
}

extension ServingCard {
    /// As ``StoredCard``'s sample has it.
    static func sample(_ binding: CardBinding) -> ServingCard {
        ServingCard(
            binding: binding, cardholderID: "user_1", cardholderName: "Zoë 山田 👩🏽‍🚀", title: "Rides")
    }
}

extension ProvisioningCompletion {
    init(_ record: StoredProvisioning, releasing digest: [UInt8]? = nil) {
        self.init(record: record, releasedHandshake: digest, idempotency: nil)
    }
}

extension IdempotencyKey {
    static func sample(_ key: String = "key-1") -> IdempotencyKey {
        IdempotencyKey(program: "rides", route: "POST /v1/cards/card_1/provisionings", key: key)
    }
}

extension IdempotencyClaim {
    static func sample(_ key: String = "key-1", replacing: IdempotencyRecord? = nil) -> IdempotencyClaim {
        IdempotencyClaim(key: .sample(key), fingerprint: Array("fingerprint".utf8), replacing: replacing)
    }
}
