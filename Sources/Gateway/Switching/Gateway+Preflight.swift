import Provisioning
import Storage

extension Gateway {
    /// Looks at what a migration would cost, and changes nothing.
    func preflight(_ draft: MigrationDraft, of program: Program, from: Connection, to: Connection)
        async throws(Problem) -> Preflight
    {
        var query = MigrationReachQuery(program: program.name, from: from.name, to: to.name)
        if case .cards(let cards) = draft.cohort { query.cards = cards }
        let reach = try await reach(query)
        var preflight = Preflight(
            cards: reach.cards, withoutStandbyBinding: reach.withoutBinding, walletsLost: [], channelsLost: [],
            handoffsChanged: [], connections: [])
        async let fromReport = report(from)
        async let toReport = report(to)
        preflight.connections = [await fromReport, await toReport]
        for wallet in program.wallets {
            let (before, after) = (from.support(for: wallet), to.support(for: wallet))
            if !before.isEmpty, after.isEmpty {
                preflight.walletsLost.append(wallet)
                continue
            }
            for row in before {
                guard let next = after.first(where: { $0.channel == row.channel }) else {
                    preflight.channelsLost.append(Preflight.Channel(wallet: wallet, channel: row.channel))
                    continue
                }
                if next.handoff == row.handoff { continue }
                preflight.handoffsChanged.append(
                    Preflight.HandoffChange(
                        wallet: wallet, channel: row.channel, from: row.handoff, to: next.handoff))
            }
        }
        return preflight
    }

    func reach(_ query: MigrationReachQuery) async throws(Problem) -> MigrationReach {
        do throws(StoreFailure) { return try await store.reach(query) } catch { throw Problem(store: error) }
    }

    /// What calls have shown of a connection, and what its processor says of its credentials when it is asked now.
    private func report(_ connection: Connection) async -> Preflight.ConnectionReport {
        let health = traffic.gate(of: connection.name).health
        let credentials = health == .leftAlone ? .notKnown : await CredentialStanding(of: connection.provider)
        return Preflight.ConnectionReport(
            connection: connection.name, provider: connection.descriptor.id, health: health, credentials: credentials)
    }
}

extension Problem {
    /// Why a migration is not opened: each thing that would strand somebody.
    init(stranding preflight: Preflight) {
        var errors: [MemberProblem] = []
        func add(_ code: String, _ detail: String) {
            errors.append(MemberProblem(pointer: "/to", code: code, detail: detail))
        }
        if preflight.withoutStandbyBinding > 0 {
            add(
                "without_standby_binding",
                "has no standby binding for \(preflight.withoutStandbyBinding) of the \(preflight.cards) cards")
        }
        for wallet in preflight.walletsLost { add("wallet_lost", "does not serve \(wallet.rawValue)") }
        for lost in preflight.channelsLost {
            add("channel_lost", "does not serve \(lost.wallet.rawValue) on the channel \(lost.channel.rawValue)")
        }
        for change in preflight.handoffsChanged {
            add(
                "handoff_changed",
                "serves \(change.wallet.rawValue) on the channel \(change.channel.rawValue) with "
                    + "\(change.to.rawValue) in place of \(change.from.rawValue): app builds must know it")
        }
        self.init(
            .migrationWouldStrandCards,
            detail: "Not everyone who can add a card now could do so then; see `errors`. "
                + "Send `allow_stranded` to go on all the same.", errors: errors)
    }
}
