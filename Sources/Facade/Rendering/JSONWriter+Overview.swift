import Gateway
import ProviderKit
import Provisioning
import Storage

extension JSONWriter {
    /// Writes how a program's attempts went.
    mutating func overview(_ overview: AttemptOverview, window: ConsoleWindow) {
        object { json in
            json.member("object", "overview")
            json.member("window", window.rawValue)
            json.member("whole", overview.isWhole)
            json.member("funnels", array: { json in for funnel in overview.funnels { json.funnel(funnel) } })
            json.member("failures", array: { json in for sum in overview.failures { json.failures(sum) } })
        }
    }

    private mutating func funnel(_ funnel: AttemptOverview.Funnel) {
        object { json in
            json.member("provider", funnel.provider)
            json.member("connection", funnel.connection)
            json.member("wallet", funnel.wallet.rawValue)
            json.member("attempted", funnel.attempted)
            json.member("handed_off", funnel.handedOff)
            json.member("tokens", funnel.tokens)
            json.member("active", funnel.active)
            json.member("unknown", funnel.unknown)
            json.member("failed", funnel.failed)
        }
    }

    /// Writes how often attempts ended in a problem, and what is to be done about it.
    private mutating func failures(_ sum: AttemptOverview.Failures) {
        let entry = sum.code.entry
        object { json in
            json.member("code", sum.code.rawValue)
            json.member("title", entry.title)
            json.member("meaning", entry.meaning)
            json.member("what_to_do", sum.code.whatToDo)
            json.member("provider", sum.provider)
            json.member("connection", sum.connection)
            json.member("count", sum.count)
            json.member("latest", sum.latest)
            json.member("latest_at", sum.latestAt)
        }
    }

    /// Writes how a connection is.
    mutating func connection(_ report: ConnectionReport) {
        object { json in
            json.member("object", "connection")
            json.member("name", report.name)
            json.member("provider", report.descriptor.id)
            json.member("provider_name", report.descriptor.displayName)
            json.member("environment", report.environment.rawValue)
            json.member("token_feed", report.descriptor.tokenFeed.rawValue)
            json.member("health", report.health.rawValue)
            json.member("breaker_open", report.isOpen)
            json.member("in_flight", report.inFlight)
            json.member("in_flight_limit", report.inFlightLimit)
            json.member("retry_budget", report.budgetLeft)
            json.key("clock_skew_seconds")
            if let skew = report.skew { json.value(skew.seconds) } else { json.null() }
            json.member("clock_measured_at", report.skew?.measuredAt)
        }
    }
}
