import Crypto
import ProviderKit
import Provisioning
import SecretMemory
import Storage

extension Gateway {
    /// Adds a card to a wallet: everything between a caller's request and the handoff for its app.
    ///
    /// Checks come first and spend nothing. Then the attempt is reserved durably, and only then is the processor
    /// called. The result's `delivered` must be called once the answer is written or has failed.
    ///
    /// - Throws: A problem with its retry class and outcome. Local refusals leave no record.
    public func provision(_ command: ProvisionCommand) async throws(Problem) -> ProvisionResult {
        var steps = Timeline(clock: clock)
        steps.add("received")
        guard let program = directory.programs[command.card.program] else { throw Problem(.programNotFound) }
        guard program.wallets.contains(command.wallet), command.wallet != .samsungPay else {
            throw Problem(.walletUnsupported, outcome: .notSent)
        }
        let deadline = deadline(of: command)
        let priorUse = try await priorUse(of: command.idempotency)
        try checkCardholderIsNamed(command, in: program)
        let context = Context(
            command: command, program: program, deadline: deadline.instant, deadlineAt: deadline.moment,
            priorUse: priorUse, first: try await first(of: priorUse, program: program),
            upstreamKey: upstreamKey(replaying: priorUse), steps: steps)
        // With the card as it was read lately, nothing has to be read; nothing is refused on its word.
        var isAdmitted = false
        if let card = recentCard(of: command), let plan = try? draft(context, with: card),
            let result = try await attempt(plan, in: context, isAdmitted: &isAdmitted)
        {
            return result
        }
        for _ in 0..<Self.planLimit {
            let card = try await card(command.card, ofCardholder: command.cardholder?.id)
            let plan = try await plan(context, with: card)
            if let result = try await attempt(plan, in: context, isAdmitted: &isAdmitted) { return result }
        }
        // It changed whenever it was planned with; or it is gone, and then this says so.
        _ = try await card(command.card, ofCardholder: command.cardholder?.id)
        throw Problem(
            .overloaded, detail: "The card's binding changed during the request. Nothing was sent.", outcome: .notSent,
            retryAfter: 1)
    }

    /// How often an attempt is planned with a card that was just read.
    private static var planLimit: Int { 3 }

    /// Plans the attempt with a card that was just read. That an app can do with neither side of a migration is counted.
    private func plan(_ context: Context, with card: StoredCard) async throws(Problem) -> Draft {
        do throws(Problem) { return try draft(context, with: card) } catch {
            if error.code == .handoffUnsupportedByApp, let migration = card.migration, migration.mode == .live {
                await countAppCannot(in: migration.id, program: card.key.program)
            }
            throw error
        }
    }

    /// The attempt that the request repeats, where it may have had an effect: its repeats go where it went. Nil where there
    /// is none, or the processor was not reached or said no.
    private func first(of priorUse: IdempotencyRecord?, program: Program) async throws(Problem) -> StoredProvisioning? {
        guard let id = priorUse?.provisioning else { return nil }
        do throws(StoreFailure) {
            let first = try await store.provisioning(id, program: program.name)
            return first?.status == .refused ? nil : first
        } catch {
            throw Problem(store: error)
        }
    }

    /// The card as it was read lately, where it is the cardholder's: what another is told must take no part in it.
    private func recentCard(of command: ProvisionCommand) -> StoredCard? {
        guard let card = store.recentCard(command.card), command.cardholder?.id.map({ $0 == card.cardholderID }) ?? true
        else { return nil }
        return card
    }

    /// What a request brought, before its card was looked at.
    private struct Context {
        let command: ProvisionCommand
        let program: Program
        let deadline: ContinuousClock.Instant
        let deadlineAt: Timestamp
        let priorUse: IdempotencyRecord?
        /// The attempt that the request repeats.
        let first: StoredProvisioning?
        let upstreamKey: UpstreamKey
        let steps: Timeline
    }

    /// An attempt as it could be made, with nothing spent.
    private struct Draft {
        let route: Route
        let card: ServingCard
        let handshake: Handshake
        let notes: HandshakeNotes
        let request: ProvisioningRequest
        /// The migration in force.
        let migration: String?
    }

    /// Plans the attempt with a card: who serves it, and whether that side can do with what the device gave.
    private func draft(_ context: Context, with card: StoredCard) throws(Problem) -> Draft {
        let command = context.command
        let route = try route(command, card: card, program: context.program, repeating: context.first)
        var reader = HandshakeReader()
        let handshake = try readHandshake(command, for: route.support, with: &reader)
        let request = ProvisioningRequest(
            card: route.binding, wallet: command.wallet, channel: command.channel, handshake: handshake,
            cardholderName: card.cardholderName, displayName: card.title ?? context.program.displayName,
            stripeAPIVersion: command.stripeAPIVersion, encryptedPayload: command.encryptedPayload,
            idempotencyKey: context.upstreamKey.text, traceparent: command.traceparent,
            deadline: context.deadline)
        do throws(ProvisioningError) { try route.connection.provider.check(request) } catch {
            throw Problem(provider: error, at: route.connection, repeatable: true, record: nil)
        }
        return Draft(
            route: route, card: ServingCard(card, through: route.binding), handshake: handshake, notes: reader.notes,
            request: request, migration: card.migration?.id)
    }

    /// Makes the attempt. Nil where the card is not what it was planned with; then nothing was reserved.
    private func attempt(_ draft: Draft, in context: Context, isAdmitted: inout Bool) async throws(Problem)
        -> ProvisionResult?
    {
        let command = context.command
        let route = draft.route
        var steps = context.steps
        steps.add("checked")
        if let detour = route.detour {
            steps.add(
                "rerouted", code: detour.reason.rawValue, detail: detour.explanation(connection: route.connection.name))
        }
        let pass: ConnectionPass
        do throws(Problem) {
            if !isAdmitted { try admit(command.card) }
            isAdmitted = true
            pass = try enter(route.connection)
        } catch {
            guard try await isStill(draft, command.card) else { return nil }
            if error.code == .providerUnavailable, let migration = draft.migration {
                traffic.leftAlone.count(LeftAloneSide(migration: migration, connection: route.connection.name))
            }
            throw error
        }
        let isRepeatable = route.support.allowsRepeat(of: draft.handshake)
        var attempt = ProvisioningAttempt(
            record: makeRecord(command, route: route, deadline: context.deadlineAt, notes: draft.notes), route: route,
            timeline: steps, handshakeDigests: handshakeDigests(draft.handshake, support: route.support),
            idempotency: command.idempotency.map { claim in
                IdempotencyClaim(
                    key: claim.key, fingerprint: claim.fingerprint, replacing: context.priorUse,
                    upstreamKey: isRepeatable ? context.upstreamKey : nil)
            }, isRepeatable: isRepeatable)
        do throws(Problem) {
            guard try await reserve(&attempt, with: draft.card) else {
                pass.leaveUncalled()
                return nil
            }
        } catch {
            pass.leaveUncalled()
            throw error
        }
        do throws(ProvisioningError) {
            let handoff = try await call(
                route.connection, draft.request, attempt: &attempt, pass: pass, until: context.deadline)
            pass.leave(nil, at: .now)
            return hand(over: handoff, of: attempt, upstreamKey: context.upstreamKey)
        } catch {
            let hasLoweredDeadline = command.deadlineMilliseconds != nil
            leave(pass, after: error, hasLoweredDeadline: hasLoweredDeadline)
            throw await fail(
                attempt, with: error, isCallers: isCallers(error, hasLoweredDeadline: hasLoweredDeadline))
        }
    }

    /// Whether the card is what an attempt was planned with. What was never reserved was never compared, and a limit of
    /// a connection that the card has left refuses nobody.
    private func isStill(_ draft: Draft, _ key: CardKey) async throws(Problem) -> Bool {
        do throws(StoreFailure) {
            guard let card = try await store.card(key) else { return false }
            let route = draft.route
            return ServingCard(card, through: route.binding) == draft.card
                && CardRouting.allows(route.binding, by: route.detour, card.bindings, in: card.migration)
        } catch {
            throw Problem(store: error)
        }
    }

    private func deadline(of command: ProvisionCommand) -> (
        instant: ContinuousClock.Instant, moment: Timestamp
    ) {
        let limit = directory.provisioningDeadline
        let wanted = command.deadlineMilliseconds.map { Duration.milliseconds($0) }
        let instant = command.receivedAt + min(wanted ?? limit, limit)
        let left = instant - .now
        let (seconds, attoseconds) = left.components
        return (instant, clock.now.adding(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }

    private func checkCardholderIsNamed(_ command: ProvisionCommand, in program: Program) throws(Problem) {
        if program.requiresCardholder, command.cardholder?.id == nil {
            throw .member("/cardholder/id", "is missing; the program requires the cardholder that was authenticated")
        }
    }

    private func readHandshake(
        _ command: ProvisionCommand, for support: WalletSupport, with reader: inout HandshakeReader
    ) throws(Problem) -> Handshake {
        switch support.handshake {
        case .none: return .none
        case .applePay:
            guard let applePay = command.applePay else {
                throw .member("/apple_pay", "is missing; send certificates, nonce and nonce_signature")
            }
            return .applePay(try reader.read(applePay, at: clock.now))
        case .googlePayDevice, .googlePaySession:
            guard let googlePay = command.googlePay else {
                throw .member("/google_pay", "is missing; send what Google's wallet gave")
            }
            let needed =
                support.handshake == .googlePaySession
                ? [("server_session_id", googlePay.serverSessionID)]
                : [("wallet_id", googlePay.walletID), ("device_id", googlePay.deviceID)]
            let missing = needed.filter { $0.1?.isEmpty ?? true }
            if missing.isEmpty { return .googlePay(googlePay) }
            throw .missing(missing.map { "/google_pay/\($0.0)" })
        }
    }

    /// The keyed digests of what can be used only once, under every root secret; none where the handshake may come again.
    private func handshakeDigests(_ handshake: Handshake, support: WalletSupport) -> [[UInt8]] {
        switch handshake {
        case .applePay(let apple):
            var builder = SecretBuilder(capacity: 2048)
            builder.append(apple.certificates[0])
            builder.append(apple.nonce)
            return keys.digests(builder.finish(), purpose: "handshake")
        case .googlePay(let google) where !support.allowsRepeat(of: handshake):
            return google.serverSessionID.map { keys.digests($0.bytes, purpose: "handshake") } ?? []
        default:
            return []
        }
    }

    private func admit(_ card: CardKey) throws(Problem) {
        guard let wait = traffic.cardLimits.admit(card, limit: directory.provisioningsPerCardPerMinute, at: .now) else {
            return
        }
        throw Problem(
            .rateLimited, detail: "The card has had its attempts for this minute.",
            retryAfter: Int(wait.components.seconds) + 1)
    }

    private func makeRecord(
        _ command: ProvisionCommand, route: Route, deadline: Timestamp, notes: HandshakeNotes
    ) -> StoredProvisioning {
        StoredProvisioning(
            id: makeID("prov_"), card: command.card, provider: route.connection.descriptor.id,
            connection: route.connection.name, providerCardID: route.binding.providerCardID, wallet: command.wallet,
            channel: command.channel, origin: command.origin, handoffType: route.support.handoff, status: .sending,
            createdAt: clock.now, deadlineAt: deadline, repairs: notes.repairs, warnings: notes.warnings,
            timeline: [], instance: instance)
    }
}
