import Foundation
import IncreaseEmulator
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// What cards do by their ids.
struct EmulatorMagicCardTests {
    let fixture = EmulatorFixture()

    @Test(arguments: [
        ("canceled", 409, "invalid_operation_error"), ("disabled", 409, "invalid_operation_error"),
        ("notenabled", 403, "private_feature_error"), ("nomethod", 404, "api_method_not_found_error"),
        ("noaccess", 403, "insufficient_permissions_error"), ("otherenv", 403, "environment_mismatch_error"),
        ("ratelimited", 429, "rate_limited_error"), ("error", 500, "internal_server_error"),
        ("nowhere", 404, "object_not_found_error"),
    ])
    func aMagicCardIsRefusedInItsWay(card: String, status: Int, type: String) async {
        let answer = await fixture.push(EmulatorFixture.googleBody(), card: "sandbox_card_\(card)")
        #expect(answer.status == status && answer.type == type)
        #expect(answer.json?["status"]?.integer == status)
    }

    @Test func everyMagicCardIsDocumented() async {
        let ids = fixture.emulator.magicIDs
        #expect(Set(ids.map(\.id)).count == ids.count && ids.count >= 20)
        #expect(ids.allSatisfy { $0.id.hasPrefix("sandbox_card_") && !$0.meaning.isEmpty })
    }

    @Test func theREADMEListsEveryMagicCard() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let readme = folder.deletingLastPathComponent().appending(path: "README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| `sandbox_card_") }.map(String.init)
        #expect(rows == fixture.emulator.magicIDs.map { "| `\($0.id)` | \($0.meaning) |" })
    }

    @Test func aRateLimitSaysHowLong() async {
        let answer = await fixture.push(EmulatorFixture.googleBody(), card: "sandbox_card_ratelimited")
        #expect(answer.json?["retry_after"]?.integer == 7)
    }

    @Test func brokenAnswersAreBroken() async {
        func answer(_ card: String, session: String) async -> EmulatedResponse {
            await fixture.push(EmulatorFixture.googleBody(session: session), card: "sandbox_card_\(card)").response
        }
        #expect(await answer("slow", session: "1").delay == .seconds(30))
        #expect(await answer("lost", session: "2").breaks == .reset)
        #expect(await answer("reset", session: "3").breaks == .reset)
        #expect(await answer("truncated", session: "4").breaks == .truncate(after: 40))
        #expect(await answer("empty", session: "5").body.isEmpty)
        #expect(await answer("oversize", session: "6").body.count > 262_144)
        #expect(await answer("unavailable", session: "7").body.revealText()?.contains("<html>") == true)
        let garbled = await fixture.push(EmulatorFixture.googleBody(session: "8"), card: "sandbox_card_garbled")
        #expect(garbled.status == 200 && garbled.json == nil)
    }

    @Test(arguments: [("slow", 1), ("lost", 1), ("truncated", 1), ("reset", 0), ("notoken", 0), ("ok", 1)])
    func aTokenAppearsWhereTheWorkWasDone(card: String, count: Int) async {
        _ = await fixture.push(EmulatorFixture.googleBody(), card: "sandbox_card_\(card)")
        let tokens = await fixture.get("/digital_wallet_tokens", query: "card_id=sandbox_card_\(card)")
        #expect(tokens.json?["data"]?.elements?.count == count)
    }

    @Test func aYellowTokenWaitsForVerification() async {
        _ = await fixture.push(EmulatorFixture.googleBody(), card: "sandbox_card_yellow")
        let tokens = await fixture.get("/digital_wallet_tokens")
        #expect(tokens.json?["data"]?.elements?.first?["status"]?.string == "inactive")
    }

    @Test func cardsShowTheirStatusAndContact() async {
        let canceled = await fixture.get("/cards/sandbox_card_canceled")
        #expect(canceled.json?["status"]?.string == "canceled" && canceled.json?["type"]?.string == "card")
        let silent = await fixture.get("/cards/sandbox_card_nocontact")
        #expect(silent.json?["digital_wallet"]?["email"]?.isNull == true && silent.json?["status"]?.string == "active")
        let other = await fixture.get("/cards/sandbox_card_ok17")
        #expect(other.status == 200 && other.json?["last4"]?.string == "1881")
    }
}
