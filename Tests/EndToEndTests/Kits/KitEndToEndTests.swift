import Crypto
import Foundation
import JSON
import PassgateClient
import PassgateWallet
import ProviderKit
import RawSockets
import Sandbox
import SecretMemory
import Testing

@testable import Facade

/// A backend and an app that are made of the kits, against the real gateway.
@Suite(.serialized)
struct KitEndToEndTests {
    @Test func everyRouteIsDrivenAndEveryAnswerIsReadWhole() async throws {
        try await KitHouse.with { kit in
            try await operations(kit)
            try await cards(kit)
            try await wallets(kit)
            try await provisionings(kit)
            try await tokens(kit)
            try await events(kit)
            try await migrations(kit)
            try await departure(kit)
            #expect(kit.executor.astray == [])
            // Processors' webhooks come from processors; a description of the API is for tools.
            let notTheKits = ["/v1/inbound/{connection}", "/openapi.json"]
            let routes = RouteTable.shared.routes
                .filter { !notTheKits.contains($0.template) && !$0.template.hasPrefix("/docs") }
                .map { "\($0.method) \($0.template)" }
            #expect(Set(routes).subtracting(kit.executor.routes) == [])
        }
    }

    private func operations(_ kit: KitHouse) async throws {
        #expect(try await kit.whole(kit.passgate.health()).status == "ok")
        #expect(try await kit.whole(kit.passgate.readiness()).status == "ready")
        let rows = try await kit.whole(kit.passgate.capabilities())
        #expect(rows.contains { $0.provider == "increase" && $0.wallet == .applePay && $0.handoff == .applePayPass })
        for code in ProblemCode.known {
            #expect(try await kit.whole(kit.passgate.problemPage(of: code)).code == code)
        }
    }

    private func cards(_ kit: KitHouse) async throws {
        let passgate = kit.passgate
        let made = try await kit.whole(
            passgate.putCard("card_1", KitHouse.draft("increase_demo", "sandbox_card_ok", last4: "1881")))
        #expect(made.serving == "increase_demo" && made.bindings.map(\.state) == [.active])
        #expect(made.metadata == ["tier": .text("gold"), "years": .integer(3), "vip": .flag(true)])
        try await kit.whole(passgate.putCard("card_2", KitHouse.draft("stripe_demo", "ic_ok", last4: "4242")))
        let thales = KitHouse.draft("thales-vault_demo", "sim_card_ok", last4: "0001")
        let report = try await kit.whole(
            passgate.importCards([CardLine(id: "card_3", card: thales), CardLine(id: "no/id", card: thales)]))
        #expect(report.imported == 1 && report.errors.map(\.code) == [.invalidRequest])
        #expect(report.errors.map(\.line) == [2])
        let bound = try await kit.whole(
            passgate.putBinding(
                of: "card_1", at: "imprint_demo",
                BindingChange(
                    providerCardID: "0CA4D000-0000-4000-8000-000000000001", last4: "0042", network: "visa",
                    state: .standby)))
        #expect(bound.bindings.count == 2)
        #expect(try await kit.whole(passgate.card("card_1")) == bound)
        var (ids, page) = ([String](), PageRequest(limit: 2))
        repeat {
            let part = try await kit.whole(passgate.cards(cardholder: "user_1", page: page))
            ids += part.data.map(\.id)
            page.cursor = part.nextCursor
        } while page.cursor != nil
        #expect(ids.sorted() == ["card_1", "card_2", "card_3"])
        let wrong = try await kit.problem {
            _ = try await passgate.putCard("card_9", CardDraft(title: ""))
        }
        #expect(wrong.code == .invalidRequest && wrong.retry == .fixRequest && wrong.errors?.isEmpty == false)
    }

    private func wallets(_ kit: KitHouse) async throws {
        let own = try await kit.whole(kit.passgate.wallets(of: "card_1", accept: [.applePayPass], wallet: .applePay))
        #expect(own.map(\.wallet) == [.applePay] && own.first?.eligible == true)
        #expect(own.first?.applePayConfiguration?.primaryAccountSuffix == "1881")
        let all = try await kit.whole(kit.passgate.wallets(ofCardholder: "user_1"))
        #expect(Set(all.map(\.card)) == ["card_1", "card_2", "card_3"])
        let question = ButtonQuestion(
            .applePay, device: .applePay(canAdd: true, watchPaired: true, localPass: .activated))
        let button = try await kit.whole(kit.passgate.walletButton(of: "card_1", question))
        #expect(button.shownAction == .addToWatch && button.target == .watch)
        let held = DeviceFacts.googlePay(tokens: [.init(last4: "4242", stateName: "TOKEN_STATE_ACTIVE")])
        let hidden = try await kit.whole(kit.passgate.walletButton(of: "card_2", .init(.googlePay, device: held)))
        #expect(hidden.shownAction == nil && hidden.facts.tokens?.first?.name == "TOKEN_STATE_ACTIVE")
        let credential = try await kit.whole(
            kit.passgate.walletCredential(
                for: "card_3", .init(purpose: .activate, wallet: .applePay, token: "token-7")))
        let token = try #require(credential.token)
        #expect(!token.isEmpty && !"\(credential)".contains(token))
    }

    private func provisionings(_ kit: KitHouse) async throws {
        let passgate = kit.passgate
        let attempt = try SimulatedPhone(network: kit.house.network).beginPass()
        let plan = try await passgate.wallets(of: "card_1", accept: [.applePayPass], wallet: .applePay).first?.plan
        let made = try await passgate.provision("card_1", kit.wish(attempt, plan: plan), for: KitHouse.proof)
        try kit.whole(made.record)
        #expect(made.record.status == .handedOff && made.handoff.type == .applePayPass)
        guard case .applePayPass(let pass) = try Handoff(json: made.handoff.json),
            case .ephemeralPublicKey(let key) = pass.key
        else { throw House.UnexpectedAnswer(line: "it is no pass") }
        #expect(key.count == 65)
        let verdict = try attempt.finish(JSONParser().parse(SecretBytes([UInt8](made.handoff.json))).root)
        #expect(verdict.deed == "decrypted the pass")

        let again = try await kit.problem {
            _ = try await passgate.provision("card_1", kit.wish(attempt), for: KitHouse.proof)
        }
        #expect(again.code == .handshakeReused && again.retry == .freshHandshake && again.outcome == .notSent)
        let stranger = try await kit.problem {
            _ = try await passgate.provision("card_1", kit.wish(attempt), for: CardholderProof(id: "user_2"))
        }
        #expect(stranger.code == .cardNotFound)

        let fresh = try JSONEncoder().encode(
            kit.wish(SimulatedPhone(network: kit.house.network).beginPass()))
        for (status, isHandoff) in [(201, true), (409, false)] {
            let answer = try await addToApplePay(
                passgate, card: "card_1", cardholder: "user_1", asked: fresh)
            #expect(answer.status == status && ((try? Handoff(json: answer.body)) != nil) == isHandoff)
        }
        let outcome = DeviceOutcome(.added)
        #expect(try await kit.whole(passgate.reportOutcome(of: made.record.id, outcome)).status == .added)
        let late = DeviceOutcome(.failed, error: .init(domain: "PKPassKitErrorDomain", code: 1, message: "no"))
        try await kit.whole(passgate.reportOutcome(of: made.record.id, late))
        try await kit.whole(passgate.provisioning(made.record.id))
        let listed = try await kit.whole(passgate.provisionings(card: "card_1", provider: "increase"))
        #expect(listed.data.map(\.id).contains(made.record.id) && listed.data.count == 2)
        let steps = try await kit.whole(passgate.timeline(of: made.record.id))
        #expect(steps.contains { $0.source == "device" })
    }

    private func tokens(_ kit: KitHouse) async throws {
        try await kit.addByStripe("card_2")
        let token = try #require(try await kit.whole(kit.passgate.tokens(of: "card_2")).data.first)
        #expect(try await kit.whole(kit.passgate.suspendToken(token.id)).status == .suspended)
        #expect(try await kit.whole(kit.passgate.resumeToken(token.id)).status == .active)
        #expect(try await kit.whole(kit.passgate.deleteToken(token.id)).status == .deleted)
        #expect(try await kit.whole(kit.passgate.token(token.id)).status == .deleted)
        let late = try await kit.problem { _ = try await kit.passgate.resumeToken(token.id) }
        #expect(late.code == .tokenTransitionInvalid && late.retry == .fixRequest)
    }

    private func events(_ kit: KitHouse) async throws {
        let passgate = kit.passgate
        let listed = try await kit.whole(passgate.events(EventQuery(type: "token.*"), page: PageRequest(limit: 100)))
        #expect(listed.data.map(\.type).last == .token(.deleted))
        let last = try #require(listed.data.last)
        #expect(try await kit.whole(passgate.event(last.id)) == last)

        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        let made = try await kit.whole(passgate.addDestination(url: server.url("/hook")))
        let secret = try #require(made.secret)
        #expect(try await kit.whole(passgate.destinations()).data.map(\.id) == [made.id])
        let replay = try await kit.whole(passgate.replayEvents(to: made.id, .from(event: last.id)))
        #expect(replay.queued == 1)
        try await kit.house.wait {
            try await passgate.destination(made.id, deliveries: .delivered).deliveries?.data.count == 1
        }
        try await kit.whole(passgate.destination(made.id))
        #expect(try receive(server.received, secret) == last)
        let rotated = try await kit.whole(passgate.rotateSecret(ofDestination: made.id))
        #expect(rotated.secret != secret && !"\(rotated)".contains("whsec_"))
        try await passgate.removeDestination(made.id)
        let gone = try await kit.problem { _ = try await passgate.destination(made.id) }
        #expect(gone.code == .destinationNotFound)
    }

    /// What the platform's receiver makes of the bytes that came.
    private func receive(_ request: String, _ secret: String) throws -> Event {
        let parts = request.components(separatedBy: "\r\n\r\n")
        let fields = parts[0].split(separator: "\r\n").dropFirst().reduce(into: [String: String]()) { fields, line in
            let pair = line.split(separator: ":", maxSplits: 1)
            fields[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
        }
        let receiver = try WebhookReceiver(secrets: [secret]) { code, message, key in
            let expected = HMACSHA256.code(key: SecretBytes([UInt8](key)), of: [SecretBytes([UInt8](message))])
            return ConstantTime.equals(expected, [UInt8](code))
        }
        return try receiver.receive(Data(parts[1].utf8)) { fields[$0] }
    }

    private func migrations(_ kit: KitHouse) async throws {
        let passgate = kit.passgate
        var draft = MigrationDraft(
            program: LaboratoryConfiguration.program, from: "increase_demo", to: "imprint_demo", mode: .live,
            cohort: .percent(12.5), guardRule: MigrationGuard(minAttempts: 200, margin: 0.05, action: .rollback))
        let stranding = try await kit.problem { [draft] in _ = try await passgate.openMigration(draft) }
        #expect(stranding.code == .migrationWouldStrandCards)
        draft.allowStranded = true
        let opened = try await kit.whole(passgate.openMigration(draft))
        #expect(opened.status == .open && opened.preflight?.cards == 1 && opened.cohort.percent == 12.5)
        let id = opened.id
        #expect(try await kit.whole(passgate.advanceMigration(id, to: .percent(60))).cohort.percent == 60)
        #expect(try await kit.whole(passgate.pauseMigration(id)).status == .paused)
        let frozen = try await kit.problem { _ = try await passgate.advanceMigration(id, to: .percent(70)) }
        #expect(frozen.code == .migrationConflict)
        #expect(try await kit.whole(passgate.resumeMigration(id)).status == .open)
        #expect(try await kit.whole(passgate.migrationReport(id)).guardReport?.state == .waiting)
        #expect(try await kit.whole(passgate.rollBackMigration(id)).status == .rolledBack)
        draft.cohort = .cards(["card_1"])
        draft.mode = .shadow
        let shadow = try await kit.whole(passgate.openMigration(draft))
        #expect(shadow.cohort.cardCount == 1)
        try await kit.whole(passgate.migrationReport(shadow.id))
        _ = try await passgate.rollBackMigration(shadow.id)
        draft.mode = .live
        draft.cohort = .percent(100)
        let whole = try await passgate.openMigration(draft)
        #expect(try await kit.whole(passgate.completeMigration(whole.id)).status == .completed)
        #expect(try await kit.whole(passgate.migration(whole.id)).status == .completed)
        #expect(try await kit.whole(passgate.migrations(status: .rolledBack)).data.count == 2)
        let news = try await kit.whole(passgate.events(EventQuery(type: "migration.*")))
        #expect(news.data.first?.type == .migration(.created) && news.data.first?.card == nil)
    }

    private func departure(_ kit: KitHouse) async throws {
        try await kit.passgate.eraseCard("card_1")
        let gone = try await kit.problem { _ = try await kit.passgate.card("card_1") }
        #expect(gone.code == .cardNotFound && gone.retry == .never && gone.requestID.hasPrefix("req_"))
    }
}
