import Gateway
import ProviderKit
import Provisioning
import Storage

extension JSONWriter {
    /// Writes how a migration goes.
    mutating func switchReport(_ report: SwitchReport) {
        let migration = report.migration
        object { json in
            json.member("object", "migration_report")
            json.member("migration", migration.id)
            json.member("program", migration.program)
            json.member("mode", migration.mode.rawValue)
            json.member("status", migration.status.rawValue)
            json.member(
                "window",
                object: { json in
                    json.member("from", migration.createdAt)
                    json.member("to", report.countedUntil)
                })
            json.member("active_by", report.goesByTokens ? "token" : "device")
            json.member("from", object: { $0.side(report.from) })
            json.member("to", object: { $0.side(report.to) })
            json.member("tokens_at_from", report.tokensAtFrom)
            json.member(
                "app_cannot",
                object: { json in
                    json.member("served_by_other_side", report.appCannot.served)
                    json.member("refused", report.appCannot.refused)
                })
            json.key("eligibility")
            if migration.mode == .shadow { json.shadow(report) } else { json.null() }
            json.key("guard")
            if let settings = migration.guard, let state = report.guardState {
                json.object { $0.members(of: settings, state, report) }
            } else {
                json.null()
            }
        }
    }

    private mutating func side(_ side: SwitchReport.Side) {
        member("connection", side.connection)
        member("provider", side.provider)
        member("attempts", side.figures.tally.attempts)
        member("handed_off", side.figures.tally.handedOff)
        member("left_alone", side.figures.leftAlone)
        member("handoff", object: { $0.rate(side.figures.tally.handoff) })
        member("activation", object: { $0.rate(side.activation) })
        member(
            "latency_ms",
            object: { json in
                json.member("sample", side.figures.durations.count)
                json.key("gateway")
                json.percentiles(side.gateway)
                json.key("provider")
                json.percentiles(side.upstream)
            })
        let codes = side.figures.codes.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        member(
            "top_codes",
            array: { json in
                for (code, count) in codes.prefix(10) {
                    json.object { json in
                        json.member("code", code.rawValue)
                        json.member("count", count)
                    }
                }
            })
    }

    /// Writes how many observations succeeded, and between which shares the rate lies, at 95 %.
    private mutating func rate(_ tally: StageTally) {
        member("observed", tally.observed)
        member("succeeded", tally.succeeded)
        key("rate")
        if let interval = ScoreInterval(tally) {
            value(1 - tally.failureRate)
            member(
                "interval",
                object: { json in
                    json.key("low")
                    json.value(interval.low)
                    json.key("high")
                    json.value(interval.high)
                })
        } else {
            null()
            key("interval")
            null()
        }
    }

    private mutating func percentiles(_ percentiles: SwitchReport.Percentiles?) {
        guard let percentiles else { return null() }
        object { json in
            json.member("p50", Int(percentiles.median))
            json.member("p95", Int(percentiles.high))
        }
    }

    /// Writes what a shadow found, for each wallet that was asked about.
    private mutating func shadow(_ report: SwitchReport) {
        object { json in
            json.member("proves_nothing", report.gap?.rawValue)
            json.member("detail", report.gap?.words)
            let wallets = Set(report.findings.keys.map(\.wallet)).sorted { $0.rawValue < $1.rawValue }
            json.member(
                "wallets",
                array: { json in
                    for wallet in wallets {
                        json.object { json in
                            json.member("wallet", wallet.rawValue)
                            for kind in ShadowFinding.Kind.allCases {
                                let finding = ShadowFinding(
                                    migration: report.migration.id, wallet: wallet, kind: kind)
                                json.member(kind.rawValue, report.findings[finding] ?? 0)
                            }
                        }
                    }
                })
        }
    }

    private mutating func members(
        of settings: StoredMigration.Guard, _ state: SwitchReport.GuardState, _ report: SwitchReport
    ) {
        member("min_attempts", settings.minAttempts)
        key("margin")
        value(settings.margin)
        member("action", settings.action.rawValue)
        member("state", state.rawValue)
        member("looked_at", report.watch?.lookedAt)
        member("next_look_at", state == .waiting || state == .watching ? report.watch?.dueAt : nil)
        member("looks", array: { json in for look in report.watch?.looks ?? [] { json.look(look) } })
    }

    private mutating func look(_ look: GuardLook) {
        object { json in
            json.member("stage", look.stage.rawValue)
            json.member("number", look.number)
            json.member("at", look.at)
            for (side, tally) in [("from", look.from), ("to", look.to)] {
                json.member(
                    side,
                    object: { json in
                        json.member("observed", tally.observed)
                        json.member("failed", tally.failed)
                    })
            }
            json.key("score")
            json.value(look.score)
            json.key("p_value")
            json.value(look.pValue)
            json.key("level")
            json.value(look.level)
            json.member("tripped", look.isTripped)
        }
    }
}

extension EligibilityGap {
    /// Why, in one plain sentence.
    fileprivate var words: String {
        switch self {
        case .noEligibilityCall:
            "The new side's processor has no eligibility call: every card with a binding is said to be eligible."
        case .localSigning:
            "The new side's handoffs are signed here: only a device shows whether its processor takes them."
        }
    }
}
