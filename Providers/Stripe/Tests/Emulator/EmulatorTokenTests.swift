import ProviderKit
import ProviderTesting
import Provisioning
import Sandbox
import StripeEmulator
import StripeProvider
import Testing

/// Network tokens, as they are listed and read.
struct EmulatorTokenTests {
    let fixture = EmulatorFixture()

    private func add(_ card: String = "ic_ok") async {
        _ = await fixture.details(await fixture.key(card).json?["secret"]?.string, card: card)
    }

    private func ids(_ query: String) async -> [String] {
        let answer = await fixture.get("/v1/issuing/tokens", query: query)
        return (answer.json?["data"]?.elements ?? []).compactMap { $0["id"]?.string }
    }

    @Test func tokensAreListedByCardTheNewestFirstAndInPages() async {
        for _ in 1...3 {
            await add()
            fixture.clock.advance(milliseconds: 1000)
        }
        await add("ic_ok2")
        let all = await ids("card=ic_ok")
        #expect(all.count == 3 && all.allSatisfy { $0.hasPrefix("intok_") })
        let page = await fixture.get("/v1/issuing/tokens", query: "card=ic_ok&limit=2")
        #expect(page.json?["has_more"]?.bool == true && page.json?["object"]?.string == "list")
        #expect(await ids("card=ic_ok&limit=2") == Array(all[0...1]))
        #expect(await ids("card=ic_ok&limit=2&starting_after=\(all[1])") == [all[2]])
        #expect(await ids("card=ic_ok&ending_before=\(all[1])") == [all[0]])
        #expect(await ids("card=ic_ok2").count == 1)
    }

    @Test func tokensAreFoundByTimeAndStatus() async {
        let start = fixture.clock.now.seconds
        await add()
        fixture.clock.advance(milliseconds: 10_000)
        await add()
        #expect(await ids("card=ic_ok&created%5Bgte%5D=\(start)").count == 2)
        #expect(await ids("card=ic_ok&created%5Bgt%5D=\(start)").count == 1)
        #expect(await ids("card=ic_ok&created%5Blt%5D=\(start + 10)").count == 1)
        #expect(await ids("card=ic_ok&created%5Blte%5D=\(start + 10)&status=active").count == 2)
        #expect(await ids("card=ic_ok&status=suspended").isEmpty)
    }

    @Test(arguments: [
        ("", "parameter_missing"), ("card=ic_ok&limit=0", "parameter_invalid_integer"),
        ("card=ic_ok&limit=101", "parameter_invalid_integer"), ("card=ic_ok&wallet=apple_pay", "parameter_unknown"),
        ("card=ic_ok&created%5Bgte%5D=today", "parameter_invalid_integer"),
        ("card=ic_ok&starting_after=intok_other", "resource_missing"),
    ])
    func unknownParametersOfAListAreRefused(query: String, code: String) async {
        let answer = await fixture.get("/v1/issuing/tokens", query: query)
        #expect(answer.status == 400 && answer.code == code)
    }

    @Test func networkDataComesOnlyWhereItIsAskedFor() async {
        await add()
        let path = "/v1/issuing/tokens/\(await ids("card=ic_ok").first ?? "")"
        let token = await fixture.get(path)
        #expect(token.json?["wallet_provider"]?.string == "google_pay" && token.json?["network_data"] == nil)
        let expanded = await fixture.get(path, query: "expand%5B%5D=network_data")
        #expect(expanded.json?["network_data"]?["type"]?.string == "visa")
        #expect(await fixture.get(path, query: "expand%5B%5D=card").status == 400)
        #expect(await fixture.get("/v1/issuing/tokens/intok_other").code == "resource_missing")
    }

    /// The adapter and the emulator, without a network between them.
    @Test func theAdapterSeesTheTokensOfTheEmulator() async throws {
        let settings = TestSettings(
            [
                ("secret_key", .text(SecretText(StripeEmulator.secretKey))), ("base_url", "http://127.0.0.1"),
            ], environment: .test)
        let provider = try StripeHarness.provider(EmulatorTransport(emulator: fixture.emulator), settings: settings)
        var card = StripeHarness.card
        card.providerCardID = "ic_yellow"
        let start = fixture.clock.now
        func seen(from moment: Timestamp) async throws -> [TokenSighting] {
            try await provider.tokens(of: card, createdFrom: moment, deadline: .now + .seconds(5))
        }
        #expect(try await seen(from: start) == [])
        await add("ic_yellow")
        let tokens = try await seen(from: start)
        #expect(tokens.map(\.status) == [.requested] && tokens.map(\.wallet) == [.googlePay])
        #expect(try await seen(from: start.adding(milliseconds: 1000)) == [])
        #expect(
            try await provider.eligibility(of: card, wallet: .applePay, deadline: .now + .seconds(5)).eligible == true)
    }
}

/// Carries requests to an emulator in this process.
struct EmulatorTransport: UpstreamTransport {
    let emulator: StripeEmulator

    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        let target = request.url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).last ?? ""
        let parts = target.split(separator: "?", maxSplits: 1)
        let answer = await emulator.handle(
            EmulatedRequest(
                method: request.method.rawValue, path: "/\(parts[0])", query: parts.count == 2 ? String(parts[1]) : "",
                headers: request.headers.map { ($0.name.lowercased(), $0.value.reveal()) },
                body: request.body ?? SecretBytes([])))
        guard answer.breaks == nil else { throw .outcomeUnknown(.broken) }
        return UpstreamResponse(status: answer.status, headers: answer.headers, body: answer.body)
    }
}
