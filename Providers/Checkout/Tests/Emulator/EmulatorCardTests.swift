import CheckoutEmulator
import CheckoutProvider
import ProviderKit
import Provisioning
import Sandbox
import Testing

/// Cards and their holders, by themselves and as the adapter reads them.
struct EmulatorCardTests {
    let fixture = EmulatorFixture()

    @Test func aCardIsShownWithItsHolder() async throws {
        let id = EmulatorFixture.card("ok17")
        let card = try await fixture.get("/issuing/cards/\(id)")
        #expect(card.status == 200 && card.json?["id"]?.string == id && card.json?["status"]?.string == "active")
        #expect(card.json?["scheme"]?.string == "mastercard" && card.json?["last_four"]?.string == "1006")
        let holder = try #require(card.json?["cardholder_id"]?.string)
        #expect(holder == fixture.emulator.demoCard.cardholderID)
        #expect(try await fixture.get("/issuing/cardholders/\(holder)").json?["id"]?.string == holder)
        let cards = try await fixture.get("/issuing/cardholders/\(holder)/cards").json?["cards"]?.elements
        #expect(cards?.map { $0["id"]?.string } == [id])
    }

    @Test(arguments: [
        "/issuing/cards/crd_ok", "/issuing/cards/\(EmulatorFixture.card("nobody"))", "/issuing/cards",
        "/issuing/cardholders/crh_nobody", "/issuing/digital-cards/dcr_nobody", "/issuing/controls/x", "/payments",
        "/", "/connect", "/d1/other",
    ])
    func whatIsNotThereIsNotFound(_ path: String) async throws {
        let answer = try await fixture.get(path)
        #expect(answer.status == 404 && answer.text.isEmpty)
    }

    @Test func onlyReadingIsThere() async throws {
        let token = try #require(await fixture.grant().json?["access_token"]?.string)
        let headers = [(name: "authorization", value: "Bearer \(token)")]
        let path = "/issuing/cards/\(EmulatorFixture.card("ok"))"
        #expect(await fixture.send("DELETE", path, headers: headers).status == 405)
        #expect(await fixture.send("GET", path, query: "expand=pan", headers: headers).status == 422)
    }

    @Test(
        arguments: [
            ("ok", true, nil), ("inactive", false, "inactive"), ("suspended", false, "suspended"),
            ("revoked", false, "revoked"), ("unheardof", nil, "hibernating"), ("yellow", true, nil),
            ("stale", true, nil),
        ] as [(String, Bool?, String?)])
    func theAdapterReadsWhatACardSays(_ word: String, _ eligible: Bool?, _ reason: String?) async throws {
        let adapter = try fixture.adapter()
        for _ in 0..<2 {
            let answer = try await adapter.eligibility(
                of: fixture.binding(word), wallet: .googlePay, deadline: .now + .seconds(5))
            #expect(answer.eligible == eligible && answer.reason == reason)
            #expect(answer.providerCardholderID == fixture.emulator.demoCard.cardholderID)
        }
    }

    @Test func theForeignCardIsSomebodyElses() async throws {
        let adapter = try fixture.adapter()
        let owner = try await adapter.cardholderID(of: fixture.binding("foreign"), deadline: .now + .seconds(5))
        #expect(owner != fixture.emulator.demoCard.cardholderID)
    }

    @Test(
        arguments: [
            ("nobody", .providerCardNotFound), ("noaccess", .providerUnauthorized), ("notoken", .providerUnauthorized),
            ("conflict", .providerUnavailable), ("ratelimited", .providerRateLimited), ("error", .providerUnavailable),
            ("unavailable", .providerUnavailable), ("reset", .providerTimeout), ("truncated", .providerTimeout),
            ("empty", .providerContractViolation), ("garbled", .providerContractViolation),
            ("oversize", .providerContractViolation),
        ] as [(String, ProblemCode)])
    func magicCardsFailAsTheyPromise(_ word: String, _ code: ProblemCode) async throws {
        let adapter = try fixture.adapter()
        do throws(ProvisioningError) {
            _ = try await adapter.cardholderID(of: fixture.binding(word), deadline: .now + .seconds(5))
            Issue.record("the card was read")
        } catch {
            #expect(error.code == code)
        }
    }

    @Test func theSlowCardAnswersLate() async throws {
        let answer = try await fixture.get("/issuing/cards/\(EmulatorFixture.card("slow"))")
        #expect(answer.status == 200 && answer.response.delay == .seconds(30))
    }

    @Test func everyMagicCardIsInTheREADME() throws {
        let documented = fixture.emulator.magicIDs
        #expect(Set(documented.map(\.id)).count == documented.count)
        let readme = try TestFiles.text("README.md")
        for magic in documented { #expect(readme.contains("| `\(magic.id)` | \(magic.meaning) |"), "\(magic.id)") }
    }
}
