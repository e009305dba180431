import Gateway
import ProviderKit
import Provisioning
import Storage

extension JSONWriter {
    /// Writes an attempt. The handoff is there in the answer that made it, and never again.
    mutating func provisioning(_ record: StoredProvisioning, handoff: Handoff? = nil) {
        object { json in
            json.member("object", "provisioning")
            json.member("id", record.id)
            json.member("card", record.card.id)
            json.member("program", record.card.program)
            json.member("provider", record.provider)
            json.member("connection", record.connection)
            json.member("wallet", record.wallet.rawValue)
            json.member("channel", record.channel.rawValue)
            json.member("origin", record.origin.rawValue)
            json.member("status", record.status.rawValue)
            json.member("created_at", record.createdAt)
            json.member("expires_at", record.expiresAt)
            if let handoff {
                json.key("handoff")
                json.handoff(handoff)
            } else {
                json.member("handoff", nil as String?)
            }
            json.notes("repairs", record.repairs, word: "repair")
            json.notes("warnings", record.warnings, word: "warning")
            if let failure = record.failure { json.member("failure", object: { json in json.failure(failure) }) }
            if record.settlement != nil || record.isAmbiguous {
                json.member(
                    "settlement",
                    object: { json in
                        json.member("by", record.settlement?.source.rawValue)
                        json.member("at", record.settlement?.at)
                        json.member("ambiguous", record.isAmbiguous)
                    })
            }
        }
    }

    /// Writes a step of an attempt.
    mutating func timelineStep(_ step: TimelineStep) {
        object { json in
            json.member("at", step.at)
            json.member("step", step.step)
            json.member("source", step.source)
            json.member("code", step.code)
            json.member("detail", step.detail)
        }
    }

    private mutating func notes(_ name: String, _ notes: [StoredRepair], word: String) {
        member(
            name,
            array: { json in
                for note in notes {
                    json.object { json in
                        json.member("pointer", note.pointer)
                        json.member(word, note.word)
                    }
                }
            })
    }

    private mutating func failure(_ failure: StoredFailure) {
        member("code", failure.code.rawValue)
        member("retry", failure.code.retry(in: failure.situation).rawValue)
        member("outcome", failure.outcome.rawValue)
        member("reason", failure.reason)
        member("provider_status", failure.upstream?.status)
        member("provider_code", failure.upstream?.code)
        member("provider_request_id", failure.upstream?.requestID)
    }
}
