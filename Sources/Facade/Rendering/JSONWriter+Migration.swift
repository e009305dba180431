import Gateway
import ProviderKit
import Provisioning
import Storage

extension JSONWriter {
    /// Writes a migration, with what it costs where it was just opened.
    mutating func migration(_ migration: StoredMigration, preflight: Preflight? = nil) {
        object { json in
            json.member("object", "migration")
            json.member("id", migration.id)
            json.member("program", migration.program)
            json.member("from", migration.from)
            json.member("to", migration.to)
            json.member("mode", migration.mode.rawValue)
            json.member("cohort", object: { $0.cohort(migration.cohort) })
            json.key("guard")
            if let stop = migration.guard { json.object { $0.guarding(stop) } } else { json.null() }
            json.member("allow_stranded", migration.allowsStranded)
            json.member("status", migration.status.rawValue)
            json.member("why", migration.why)
            json.member("created_at", migration.createdAt)
            json.member("updated_at", migration.updatedAt)
            json.member("advanced_at", migration.advancedAt)
            json.member("ended_at", migration.endedAt)
            json.member("settled_at", migration.settledAt)
            if let preflight { json.member("preflight", object: { $0.preflight(preflight) }) }
        }
    }

    private mutating func cohort(_ cohort: StoredMigration.Cohort) {
        switch cohort {
        case .percent(let basisPoints):
            key("percent")
            if basisPoints % 100 == 0 { value(basisPoints / 100) } else { value(Double(basisPoints) / 100) }
        case .cards(let count): member("card_count", count)
        }
    }

    private mutating func guarding(_ stop: StoredMigration.Guard) {
        member("min_attempts", stop.minAttempts)
        key("margin")
        value(stop.margin)
        member("action", stop.action.rawValue)
    }

    private mutating func preflight(_ preflight: Preflight) {
        member("cards", preflight.cards)
        member("without_standby_binding", preflight.withoutStandbyBinding)
        member("wallets_lost", array: { json in for wallet in preflight.walletsLost { json.value(wallet.rawValue) } })
        member(
            "channels_lost",
            array: { json in
                for lost in preflight.channelsLost {
                    json.object { json in
                        json.member("wallet", lost.wallet.rawValue)
                        json.member("channel", lost.channel.rawValue)
                    }
                }
            })
        member(
            "handoffs_changed",
            array: { json in
                for change in preflight.handoffsChanged {
                    json.object { json in
                        json.member("wallet", change.wallet.rawValue)
                        json.member("channel", change.channel.rawValue)
                        json.member("from", change.from.rawValue)
                        json.member("to", change.to.rawValue)
                    }
                }
            })
        member(
            "connections",
            array: { json in
                for report in preflight.connections {
                    json.object { json in
                        json.member("connection", report.connection)
                        json.member("provider", report.provider)
                        json.member("health", report.health.rawValue)
                        json.member("credentials", report.credentials.rawValue)
                    }
                }
            })
    }
}
