import Foundation
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing
import ThalesEmulator

@Suite("The emulated vault")
struct EmulatorVaultTests {
    let emulator = ThalesEmulator(json: JSONParser())
    private static let token = "Bearer \(ThalesEmulator.vaultToken)"

    private func get(
        _ path: String, method: String = "GET", query: String = "",
        headers: [(name: String, value: String)] = [("authorization", token), ("accept", "application/json")],
        body: String = ""
    ) async -> EmulatedResponse {
        await emulator.handle(
            EmulatedRequest(method: method, path: path, query: query, headers: headers, body: SecretBytes(utf8: body)))
    }

    private func json(_ response: EmulatedResponse) -> JSONView? { try? JSONParser().parse(response.body).root }

    @Test func itGivesACardToWhoHasTheToken() async {
        let answer = await get("/cards/sim_card_ok")
        #expect(answer.status == 200)
        #expect(json(answer)?.members?.map(\.name) == ["pan", "expiry", "cardholder_name"])
        #expect(json(answer)?["pan"]?.secretText == ThalesEmulator.cardNumber(of: "sim_card_ok"))
        #expect(json(answer)?["expiry"]?.string == "1131")
    }

    @Test(
        arguments: [
            [], [("authorization", "Bearer other")], [("authorization", "Basic abc")], [("authorization", "bearer ")],
            [("authorization", token + " ")], [("authorization", token), ("authorization", token)],
            [("x-api-key", ThalesEmulator.vaultToken)],
        ] as [[(String, String)]])
    func anyoneElseIsRefused(_ headers: [(String, String)]) async {
        let answer = await get("/cards/sim_card_ok", headers: headers.map { (name: $0.0, value: $0.1) })
        #expect(answer.status == 401 && answer.headers.contains { $0.name == "www-authenticate" })
        #expect(json(answer)?["pan"] == nil)
    }

    @Test func itIsStrictAboutTheRequest() async {
        #expect(await get("/cards/sim_card_ok", method: "POST").status == 405)
        #expect(await get("/cards/sim_card_ok", query: "expand=cvv").status == 400)
        #expect(await get("/cards/sim_card_ok", body: "{}").status == 400)
        #expect(await get("/cards/sim_card_ok", headers: [("authorization", Self.token)]).status == 406)
        for path in ["/", "/cards", "/cards/sim_card_ok/pan", "/cards/nobody", "/tokens/sim_card_ok"] {
            #expect(await get(path).status == 404)
        }
    }

    @Test(arguments: [
        ("sim_card_missing", 404), ("sim_card_gone", 410), ("sim_card_forbidden", 403), ("sim_card_unheard", 422),
        ("sim_card_ratelimited", 429), ("sim_card_error", 500), ("sim_card_unavailable", 503), ("sim_card_empty", 200),
        ("sim_card_garbled", 200), ("sim_card_oversize", 200), ("sim_card_noname", 200),
    ])
    func magicCardsDoWhatTheyAreNamedFor(_ id: String, _ status: Int) async {
        let answer = await get("/cards/\(id)")
        #expect(answer.status == status && json(answer)?["cardholder_name"] == nil)
    }

    @Test func someHaveAnswersThatAreSpoiledOnTheWay() async {
        #expect(await get("/cards/sim_card_slow").delay == .seconds(30))
        #expect(await get("/cards/sim_card_reset").breaks == .reset)
        #expect(await get("/cards/sim_card_truncated").breaks == .truncate(after: 12))
        #expect(
            await get("/cards/sim_card_ratelimited").headers.contains { $0.name == "retry-after" && $0.value == "7" })
    }

    @Test func someHaveDataThatIsWrong() async {
        let number = ThalesEmulator.cardNumber(of: "sim_card_badcheck").reveal()
        let wrong = json(await get("/cards/sim_card_badcheck"))?["pan"]?.string
        #expect(wrong?.dropLast() == number.dropLast() && wrong != number)
        #expect(json(await get("/cards/sim_card_short"))?["pan"]?.string?.count == 11)
        #expect(json(await get("/cards/sim_card_spaced"))?["pan"]?.string?.contains(" ") == true)
        #expect(json(await get("/cards/sim_card_numeric"))?["pan"]?.kind == .integer)
        #expect(json(await get("/cards/sim_card_badmonth"))?["expiry"]?.string == "1331")
        #expect(json(await get("/cards/sim_card_isodate"))?["expiry"]?.string == "2031-11")
    }

    @Test func everyCardHasANumberOfItsOwn() {
        let ids = (0..<50).map { "sim_card_ok\($0)" } + ["sim_card_amex", "sim_card_discover", "sim_card_mastercard"]
        let numbers = ids.map { ThalesEmulator.cardNumber(of: $0).reveal() }
        #expect(Set(numbers).count == ids.count)
        #expect(numbers.allSatisfy { CardNumber.occurs(in: $0.utf8) }, "every check digit is right")
        #expect(ThalesEmulator.card("sim_card_amex").network == .amex && numbers[50].count == 15)
        #expect(
            ids.allSatisfy { ThalesEmulator.card($0).last4 == ThalesEmulator.cardNumber(of: $0).reveal().suffix(4) })
    }

    @Test func itSaysHowAGatewayReachesIt() {
        let connection = emulator.connection(at: "http://127.0.0.1:1/thales-vault")
        let settings = Dictionary(uniqueKeysWithValues: connection.settings)
        #expect(settings["provider"] == "thales" && settings["environment"] == "test")
        #expect(settings["card_source"]?.contains("http://127.0.0.1:1/thales-vault/cards/{provider_card_id}") == true)
        #expect(connection.files.map(\.name) == ["thales-issuer.pem", "thales-certificate.pem"])
        #expect(connection.files.allSatisfy { $0.contents.hasPrefix("-----BEGIN ") })
        #expect(emulator.demoCard == ThalesEmulator.card("sim_card_ok"))
        #expect(emulator.sampleCall(at: "http://x").contains(ThalesEmulator.vaultToken))
    }

    @Test func everyMagicCardIsDocumentedOnce() throws {
        let ids = emulator.magicIDs.map(\.id)
        #expect(Set(ids).count == ids.count && ids.contains("sim_card_ok…"))
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let page = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        for magic in emulator.magicIDs { #expect(page.contains("| `\(magic.id)` | \(magic.meaning) |")) }
    }
}
