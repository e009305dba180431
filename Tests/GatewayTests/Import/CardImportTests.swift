import EventLoop
import Provisioning
import SecretMemory
import Storage
import Synchronization
import Testing

@testable import Gateway

/// Lines of a test: `id provider_card [cardholder]`, `new` without a binding, and anything else is no card.
@Suite("Cards are imported a part at a time")
struct CardImportTests {
    private static func order(_ fixture: GatewayFixture, at connection: String = "scripted_main") -> CardImportOrder {
        let clock = fixture.clock
        return CardImportOrder(
            program: "rides", actor: .test, lineLimit: 64,
            read: { line throws(Problem) in
                let words = (line.revealText() ?? "").split(separator: " ").map(String.init)
                guard words.count > 1 else { throw Problem(.malformedJSON) }
                let binding = CardBinding(
                    connection: connection, providerCardID: words[1],
                    providerCardholderID: words.count > 2 ? words[2] : nil, last4: "4242", network: .visa)
                return CardDraft(
                    key: CardKey(program: "rides", id: words[0]), binding: words[1] == "new" ? nil : binding,
                    cardholderID: "holder", cardholderName: "Ada", title: nil, artURL: nil, metadata: nil,
                    at: clock.now)
            })
    }

    private func run(
        _ fixture: GatewayFixture, _ pieces: [String], at connection: String = "scripted_main", cut: Problem? = nil
    ) async throws -> CardImportReport {
        let rest = Mutex(pieces)
        return try await fixture.gateway.importCards(Self.order(fixture, at: connection)) { () throws(Problem) in
            let piece = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if piece == nil, let cut { throw cut }
            return piece.map { SecretBytes(utf8: $0) }
        }
    }

    private func entries(_ fixture: GatewayFixture) async throws -> [StoredAuditEntry] {
        try await fixture.store.auditEntries(program: "rides", after: 0, limit: 99)
    }

    @Test func everyLineIsAnsweredFor() async throws {
        let fixture = try GatewayFixture()
        let report = try await run(
            fixture,
            [
                "a card_a\nb ca", "rd_b\nnonsense\n\nc new\nd card_a\n",
                "e BAD\na card_a\n" + String(repeating: "x", count: 70),
            ])
        #expect(report.imported == 2 && report.updated == 1 && report.failed == 5)
        #expect(
            report.faults.map { "\($0.line) \($0.code.rawValue)" } == [
                "3 malformed_json", "5 invalid_request", "6 binding_conflict", "7 invalid_request",
                "9 payload_too_large",
            ])
        #expect(report.faults[1].detail == "/binding is missing.")
        #expect(report.faults[3].detail.hasPrefix("/binding/provider_card_id is not of the form"))
        #expect(try await entries(fixture).map(\.action) == ["cards.imported"])
    }

    @Test func manyPartsKeepTheirOrderAndOneEntry() async throws {
        let fixture = try GatewayFixture()
        let lines = (1...1500).map { $0 % 100 == 0 ? "nonsense" : "c\($0) card_\($0)" }
        let report = try await run(fixture, lines.map { "\($0)\n" })
        #expect(report.imported == 1485 && report.failed == 15 && report.updated == 0)
        #expect(report.faults.map(\.line) == (1...15).map { $0 * 100 })
        let again = try await run(fixture, [lines.joined(separator: "\r\n")])
        #expect(again.updated == 1485 && again.failed == 15 && again.imported == 0)
        let entries = try await entries(fixture)
        #expect(entries.count == 2 && entries[0].subject != entries[1].subject)
        let digests = entries.map { $0.after.first { $0.name == "lines" } }
        #expect(digests[0] == digests[1] && digests[0]?.isDigest == true, "one text, however it came")
    }

    @Test func faultsAreCountedBeyondTheirList() async throws {
        let fixture = try GatewayFixture()
        let report = try await run(fixture, [String(repeating: "x\n", count: 1700)])
        #expect(report.failed == 1700 && report.faults.count == 1000 && report.faults.last?.line == 1000)
    }

    @Test func whatWasStoredBeforeTheTextBrokeOffStays() async throws {
        let fixture = try GatewayFixture()
        let lines = (1...600).map { "c\($0) card_\($0)\n" }.joined()
        await #expect(throws: Problem(.invalidRequest)) {
            try await run(fixture, [lines + "half a li"], cut: Problem(.invalidRequest))
        }
        let kept = try await fixture.store.card(CardKey(program: "rides", id: "c512"))
        let late = try await fixture.store.card(CardKey(program: "rides", id: "c513"))
        #expect(kept != nil && late == nil, "whole parts alone were stored")
        let entry = try #require(try await entries(fixture).first)
        #expect(entry.after.map { "\($0.value)" }.contains("broken_off"))
        let report = try await run(fixture, [lines])
        #expect(report.imported == 88 && report.updated == 512)
    }

    @Test func ownersAreVerifiedOrLearnt() async throws {
        let fixture = try GatewayFixture(owner: OwningProvider())
        let report = try await run(
            fixture, ["a card_a\nb card_b owner_1\nc card_c owner_2\n"], at: "owner_main")
        #expect(report.imported == 2)
        #expect(report.faults.map { "\($0.line) \($0.code.rawValue)" } == ["3 provider_card_not_found"])
        let learnt = try await fixture.store.card(CardKey(program: "rides", id: "a"))
        #expect(learnt?.activeBinding?.card.providerCardholderID == "owner_1")
        let refused = try await fixture.store.card(CardKey(program: "rides", id: "c"))
        #expect(refused == nil)
    }

    @Test func aProcessorThatDoesNotSayFailsItsLinesAlone() async throws {
        let owner = OwningProvider()
        owner.set(.failure(ProvisioningError(.providerUnavailable, outcome: .notSent)))
        let fixture = try GatewayFixture(owner: owner)
        let report = try await run(fixture, [(1...30).map { "c\($0) card_\($0)\n" }.joined()], at: "owner_main")
        #expect(report.failed == 30 && Set(report.faults.map(\.code)) == [.providerUnavailable])
        #expect(report.faults.map(\.line) == Array(1...30))
        #expect(try await entries(fixture).isEmpty, "nothing was stored")
    }

    @Test func aStoreThatCannotBeWrittenEndsIt() async throws {
        let fixture = try GatewayFixture()
        await fixture.store.close()
        do throws(any Error) {
            _ = try await run(fixture, ["a card_a\n"])
            Issue.record("it was imported")
        } catch {
            #expect((error as? Problem)?.code == .overloaded)
        }
    }
}
