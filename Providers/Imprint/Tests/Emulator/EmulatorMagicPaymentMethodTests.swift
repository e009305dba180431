import Foundation
import ImprintEmulator
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// What payment methods do by their ids.
struct EmulatorMagicPaymentMethodTests {
    let fixture = EmulatorFixture()

    @Test(arguments: [
        ("0CA4D010", 403, "permission_denied"), ("0CA4D011", 422, "device_ineligible"),
        ("0CA4D012", 409, "already_provisioned"), ("0CA4D013", 400, "invalid_request"),
        ("0CA4D014", 400, "wallet_unsupported"), ("0CA4DFFF", 404, "payment_method_not_found"),
    ])
    func aMagicPaymentMethodIsRefusedInItsWay(_ group: String, _ status: Int, _ code: String) async {
        let answer = await fixture.google(EmulatorFixture.id(group))
        #expect(answer.status == status && answer.code == code)
    }

    @Test func everyMagicIDIsDocumented() async {
        let ids = fixture.emulator.magicIDs
        #expect(Set(ids.map(\.id)).count == ids.count && ids.count >= 20)
        #expect(ids.allSatisfy { $0.id.hasPrefix("0CA4D0") && !$0.meaning.isEmpty })
    }

    @Test func theREADMEListsEveryMagicID() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let readme = folder.deletingLastPathComponent().appending(path: "README.md")
        let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
        let rows = lines.filter { $0.hasPrefix("| `0CA4D") }.map(String.init)
        #expect(rows == fixture.emulator.magicIDs.map { "| `\($0.id)` | \($0.meaning) |" })
    }

    @Test(arguments: [
        ("0CA4D001", "INACTIVE", "CARD"), ("0CA4D002", "CANCELED", "CARD"), ("0CA4D003", "DORMANT", "CARD"),
        ("0CA4D004", "ACTIVE", "BANK_ACCOUNT"), ("0CA4D000", "ACTIVE", "CARD"),
    ])
    func paymentMethodsShowStatusAndType(_ group: String, _ status: String, _ type: String) async {
        let json = await fixture.read(EmulatorFixture.id(group)).json
        #expect(json?["status"]?.string == status && json?["type"]?.string == type)
        #expect((json?["card"] == nil) == (type == "BANK_ACCOUNT"))
        let isRefused = ["INACTIVE", "CANCELED"].contains(status) || type == "BANK_ACCOUNT"
        let answer = await fixture.google(EmulatorFixture.id(group))
        #expect((answer.status == 200) != isRefused && (answer.type == "INVALID_REQUEST_ERROR") == isRefused)
    }

    @Test func brokenAnswersAreBroken() async {
        func answer(_ group: String) async -> EmulatedResponse {
            await fixture.google(EmulatorFixture.id(group)).response
        }
        let limited = await answer("0CA4D020")
        #expect(limited.status == 429 && limited.headers.contains { $0 == ("retry-after", "7") })
        #expect(await answer("0CA4D021").status == 500)
        #expect(await answer("0CA4D022").body.revealText()?.contains("<html>") == true)
        let timeout = await answer("0CA4D023")
        #expect(timeout.status == 504 && timeout.body.isEmpty)
        #expect(await answer("0CA4D030").delay == .seconds(30))
        #expect(await answer("0CA4D031").breaks == .reset)
        #expect(await answer("0CA4D032").breaks == .reset)
        #expect(await answer("0CA4D033").breaks == .truncate(after: 40))
        #expect(await answer("0CA4D034").body.isEmpty)
        let garbled = await fixture.google(EmulatorFixture.id("0CA4D035"))
        #expect(garbled.status == 200 && garbled.json == nil)
        #expect(await answer("0CA4D036").body.count > 262_144)
    }

    @Test(arguments: [
        ("0CA4D000", 1), ("0CA4D023", 1), ("0CA4D030", 1), ("0CA4D031", 1), ("0CA4D033", 1), ("0CA4D040", 1),
        ("0CA4D032", 0), ("0CA4D034", 0), ("0CA4D041", 0),
    ])
    func aTokenAppearsWhereTheWorkWasDone(_ group: String, _ count: Int) async throws {
        let attempt = try SimulatedPhone(network: fixture.network).beginPass()
        let id = EmulatorFixture.id(group)
        _ = await fixture.provision(EmulatorFixture.body(attempt), wallet: "apple_pay", id: id)
        let tokens = await fixture.read(id).json?["card"]?["tokens"]?.elements
        #expect(tokens?.count == count)
        let isDated = tokens?.first?["created_at"]?.string?.isEmpty == false
        #expect(isDated == (count == 1 && group != "0CA4D040"))
    }
}
