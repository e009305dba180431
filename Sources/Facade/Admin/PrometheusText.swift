import EventLoop
import Gateway
import Provisioning
import Storage

/// Renders what operators watch for Prometheus. Names are stable; units are seconds and bytes; labels are names of the
/// configuration and words of ours, never an id of a card, a cardholder or an attempt.
enum PrometheusText {
    static func render(_ scrape: Scrape) -> String {
        var text = PrometheusWriter()
        text.process(scrape)
        text.requests(scrape.counts)
        text.attempts(scrape.counts)
        text.connections(scrape.connections)
        text.refusals(scrape)
        text.events(scrape)
        text.store(scrape)
        text.switching(scrape)
        return text.text
    }
}

extension PrometheusWriter {
    fileprivate mutating func process(_ scrape: Scrape) {
        family("passgate_build_info", .gauge, "Which passgate this is.", [Sample([("version", scrape.version)], 1)])
        single(
            "passgate_process_start_time_seconds", .gauge, "When the process began, since 1970.",
            Double(scrape.startedAt.milliseconds) / 1000)
        single(
            "passgate_process_resident_memory_bytes", .gauge, "Memory in use.", scrape.process.map(\.residentBytes))
        single("passgate_process_open_fds", .gauge, "Files and sockets that are open.", scrape.process.map(\.openFiles))
    }

    fileprivate mutating func requests(_ counts: MetricsSnapshot) {
        family(
            "passgate_requests_total", .counter, "Answers by route, method and status; 499 where the caller had gone.",
            counts.requests.map { request, count in
                Sample(
                    [
                        ("route", request.route), ("method", request.method), ("class", "\(request.status / 100)xx"),
                        ("status", "\(request.status)"),
                    ], count)
            })
        single("passgate_requests_in_flight", .gauge, "Requests that are being answered.", counts.inFlight)
        histograms(
            "passgate_gateway_seconds", "How long requests took beside their calls to processors.", by: "route",
            counts.added)
        histograms(
            "passgate_upstream_seconds", "How long calls to processors took.", by: "connection", counts.upstream)
    }

    fileprivate mutating func attempts(_ counts: MetricsSnapshot) {
        family(
            "passgate_provisionings_total", .counter,
            "Attempts by how they ended: handed_off, caller_left, or the problem's code.",
            counts.attempts.map { attempt, count in
                Sample(
                    [("provider", attempt.provider), ("wallet", attempt.wallet), ("outcome", attempt.outcome)], count)
            })
        family(
            "passgate_unknown_outcomes_total", .counter,
            "Attempts of which nobody knew what became of them when they were answered.",
            counts.unknown.map { Sample([("provider", $0)], $1) })
    }

    fileprivate mutating func connections(_ reports: [ConnectionReport]) {
        func values<Value: CustomStringConvertible>(_ value: (ConnectionReport) -> Value?) -> [Sample] {
            reports.compactMap { report in value(report).map { Sample([("connection", report.name)], $0) } }
        }
        family(
            "passgate_connection_breaker_open", .gauge, "Whether the processor is being left alone.",
            values { $0.isOpen ? 1 : 0 })
        family(
            "passgate_connection_calls_in_flight", .gauge, "Calls to the processor that are under way.",
            values { $0.inFlight })
        family(
            "passgate_connection_calls_limit", .gauge, "How many may be under way.", values { $0.inFlightLimit })
        family(
            "passgate_connection_retry_budget", .gauge, "Extra attempts that are left now.", values { $0.budgetLeft })
        family(
            "passgate_connection_clock_skew_seconds", .gauge,
            "By how much the processor's clock is ahead of ours, good to a second.", values { $0.skew?.seconds })
        family(
            "passgate_connection_certificate_end_timestamp_seconds", .gauge,
            "When the first of its certificates ends, ours and the authorities' that it trusts, since 1970.",
            values { $0.certificatesEndAt.map { Double($0.milliseconds) / 1000 } })
    }

    /// A breaker that opens is a series that is there before.
    fileprivate mutating func refusals(_ scrape: Scrape) {
        let open = scrape.connections.map { MetricsSnapshot.Refusal(connection: $0.name, reason: "breaker_open") }
        family(
            "passgate_connection_refusals_total", .counter,
            "Requests that were not let through to the processor: breaker_open, full or rate.",
            Set(open).union(scrape.counts.refusals.keys).map { refusal in
                Sample(
                    [("connection", refusal.connection), ("reason", refusal.reason)],
                    scrape.counts.refusals[refusal] ?? 0)
            })
    }

    fileprivate mutating func events(_ scrape: Scrape) {
        family(
            "passgate_deliveries_total", .counter, "Processors' webhooks by what was done with them.",
            scrape.counts.deliveries.map { delivery, count in
                Sample([("connection", delivery.connection), ("outcome", delivery.outcome)], count)
            })
        family(
            "passgate_event_deliveries_total", .counter, "Tries to send events, by outcome.",
            scrape.counts.outgoing.map { Sample([("outcome", $0)], $1) })
        single(
            "passgate_inbound_outstanding", .gauge, "Processors' webhooks that are still to be read.",
            scrape.backlog?.inboundPending)
        single(
            "passgate_events_outstanding", .gauge, "Deliveries of events that are still to be made.",
            scrape.backlog?.eventsPending)
        single(
            "passgate_events_overdue_seconds", .gauge, "For how long the first of them has been due.",
            scrape.backlog.map { backlog in
                max(Double(scrape.now.milliseconds - (backlog.eventsDueAt ?? scrape.now).milliseconds) / 1000, 0)
            })
        single(
            "passgate_dead_letters", .gauge, "Deliveries of events that were given up.", scrape.backlog?.deadLetters)
        single(
            "passgate_destinations_disabled", .gauge, "Destinations that are sent nothing any more.",
            scrape.backlog?.disabledDestinations)
    }

    fileprivate mutating func store(_ scrape: Scrape) {
        single(
            "passgate_store_up", .gauge, "Whether the store could be read just now.", scrape.backlog == nil ? 0 : 1)
        histograms(
            "passgate_store_group_size", "How many changes each commit held.", ["": scrape.store.groupSize])
        histograms(
            "passgate_store_commit_seconds", "How long each commit took, its changes included.",
            ["": scrape.store.commit])
        histograms(
            "passgate_store_queue_seconds", "How long changes waited for their commit to begin.",
            ["": scrape.store.queue])
        single(
            "passgate_audit_head_logged_timestamp_seconds", .gauge,
            "When the ends of the audit trails were last logged, since 1970.",
            scrape.counts.auditHeadsAt.map { Double($0.milliseconds) / 1000 })
    }

    fileprivate mutating func switching(_ scrape: Scrape) {
        family(
            "passgate_guard_stops_total", .counter, "How often a guard stopped a migration.",
            Set(scrape.programs).union(scrape.counts.guardStops.keys).map { program in
                Sample([("program", program)], scrape.counts.guardStops[program] ?? 0)
            })
        let migrations = scrape.migrations ?? []
        family(
            "passgate_migration_paused", .gauge, "Whether the program's migration in force is paused.",
            migrations.map { Sample([("program", $0.migration.program)], $0.migration.status == .paused ? 1 : 0) })
        family(
            "passgate_migration_cohort_ratio", .gauge, "The share of cardholders in its cohort.",
            migrations.compactMap { figures in
                guard case .percent(let basisPoints) = figures.migration.cohort else { return nil }
                return Sample([("program", figures.migration.program)], Double(basisPoints) / 10_000)
            })
        func values(_ value: (MigrationFigures.Side) -> [(stage: String, count: Int)]) -> [Sample] {
            migrations.flatMap { figures in
                figures.sides.flatMap { side in
                    value(side).map { stage, count in
                        var labels: Labels = [
                            ("program", figures.migration.program), ("side", side.name),
                            ("connection", side.connection),
                        ]
                        if !stage.isEmpty { labels.append(("stage", stage)) }
                        return Sample(labels, count)
                    }
                }
            }
        }
        family(
            "passgate_migration_attempts", .gauge, "Its attempts by the side that served them.",
            values { [("", $0.tally.attempts)] })
        family(
            "passgate_migration_observed", .gauge, "Its observations, one a card, wallet and hour, by side and stage.",
            values { [("handoff", $0.tally.handoff.observed), ("activation", $0.activation.observed)] })
        family(
            "passgate_migration_succeeded", .gauge, "Those of them that succeeded.",
            values { [("handoff", $0.tally.handoff.succeeded), ("activation", $0.activation.succeeded)] })
    }
}
