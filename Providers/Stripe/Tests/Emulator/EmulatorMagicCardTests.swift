import Foundation
import ProviderKit
import Sandbox
import StripeEmulator
import Testing

/// What cards do by their ids.
struct EmulatorMagicCardTests {
    let fixture = EmulatorFixture()

    @Test(
        arguments: [
            ("ratelimited", 429, "invalid_request_error", "rate_limit"),
            ("locked", 429, "invalid_request_error", "lock_timeout"),
            ("conflict", 409, "idempotency_error", "idempotency_key_in_use"),
            ("declined", 402, "card_error", "card_declined"), ("forbidden", 403, "invalid_request_error", nil),
            ("error", 500, "api_error", nil), ("finalerror", 500, "api_error", nil),
        ] as [(String, Int, String, String?)])
    func aMagicCardIsRefusedInItsWay(card: String, status: Int, type: String, code: String?) async {
        let answer = await fixture.key("ic_\(card)")
        #expect(answer.status == status && answer.type == type && answer.code == code)
        #expect(answer.header("retry-after") == (card == "ratelimited" ? "7" : nil))
        #expect(answer.header("stripe-should-retry") == (card == "finalerror" ? "false" : nil))
    }

    @Test func aConflictEndsByItself() async {
        #expect(await fixture.key("ic_conflict").status == 409)
        #expect(await fixture.key("ic_conflict").status == 200)
    }

    @Test func everyMagicCardIsDocumented() {
        let ids = fixture.emulator.magicIDs
        #expect(Set(ids.map(\.id)).count == ids.count && ids.count >= 25)
        #expect(ids.allSatisfy { $0.id.hasPrefix("ic_") && !$0.meaning.isEmpty })
    }

    @Test func theREADMEListsEveryMagicCard() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let readme = folder.deletingLastPathComponent().appending(path: "README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| `ic_") }.map(String.init)
        #expect(rows == fixture.emulator.magicIDs.map { "| `\($0.id)` | \($0.meaning) |" })
    }

    @Test func brokenAnswersAreBroken() async {
        func answer(_ card: String) async -> EmulatedResponse { await fixture.key("ic_\(card)").response }
        #expect(await answer("slow").delay == .seconds(30))
        #expect(await answer("lost").breaks == .reset)
        #expect(await answer("reset").breaks == .reset)
        #expect(await answer("truncated").breaks == .truncate(after: 40))
        #expect(await answer("empty").body.isEmpty)
        #expect(await answer("oversize").body.count > 262_144)
        #expect(await answer("unavailable").body.revealText()?.contains("<html>") == true)
        let garbled = await fixture.key("ic_garbled")
        #expect(garbled.status == 200 && garbled.json == nil)
    }

    @Test(
        arguments: [
            ("ok", "active", true, nil), ("ok17", "active", true, nil), ("inactive", "inactive", true, nil),
            ("canceled", "canceled", true, nil), ("unheardof", "resting", true, nil),
            ("missingagreement", "active", false, "missing_agreement"),
            ("unsupportedregion", "active", false, "unsupported_region"),
            ("nocontact", "active", false, "missing_cardholder_contact"),
        ] as [(String, String, Bool, String?)])
    func cardsShowTheirStatusAndWallets(card: String, status: String, isEligible: Bool, reason: String?) async {
        let json = await fixture.get("/v1/issuing/cards/ic_\(card)").json
        #expect(json?["object"]?.string == "issuing.card" && json?["status"]?.string == status)
        for wallet in ["apple_pay", "google_pay"] {
            let claim = json?["wallets"]?[wallet]
            #expect(claim?["eligible"]?.bool == isEligible && claim?["ineligible_reason"]?.string == reason)
        }
        let contact = json?["cardholder"]?["email"]
        #expect(contact?.isNull == (card == "nocontact"))
    }

    @Test func aCardThatIsNotActiveIsRefusedToTheSDK() async {
        for card in ["ic_inactive", "ic_canceled"] {
            let key = await fixture.key(card)
            #expect(key.status == 200)
            #expect(await fixture.details(key.json?["secret"]?.string, card: card).status == 400)
        }
    }

    @Test(
        arguments: [("ok", "active"), ("yellow", "requested"), ("unheardof", "resting"), ("notoken", nil)]
            as [(String, String?)])
    func aTokenAppearsWithThePayload(card: String, status: String?) async {
        let key = await fixture.key("ic_\(card)")
        #expect(await fixture.details(key.json?["secret"]?.string, card: "ic_\(card)").status == 200)
        let tokens = await fixture.get("/v1/issuing/tokens", query: "card=ic_\(card)")
        #expect(tokens.json?["data"]?.elements?.map { $0["status"]?.string } == (status.map { [$0] } ?? []))
    }
}
