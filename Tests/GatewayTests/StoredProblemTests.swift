import Provisioning
import Storage
import Testing

@testable import Gateway

/// A problem is given again under an idempotency key word for word, or not at all.
@Suite struct StoredProblemTests {
    @Test(arguments: RetrySituation.allCases)
    func comesBackAsItWasKept(_ situation: RetrySituation) throws {
        let bare = Problem(.internalError, situation: situation)
        let full = Problem(
            .cardIneligible, detail: "A \"sentence\"\n\u{2028} of ours.",
            errors: [MemberProblem(pointer: "/apple_pay/nonce", code: "missing", detail: "is missing")],
            situation: situation, outcome: .refused, reason: "missing_agreement", retryAfter: 7,
            provisioning: "prov_1",
            provider: ProviderReport(
                id: "scripted", connection: "scripted_main",
                upstream: UpstreamReport(status: 400, code: "card_declined", requestID: "req_1")))
        for problem in [bare, full] {
            #expect(try StoredProblem.decode(StoredProblem.encode(problem)) == problem)
        }
    }

    @Test(arguments: ["", "{}", "[]", #"{"code":"no_such_code","errors":[],"situation":"not_sent"}"#])
    func isNeverGuessed(_ text: String) {
        #expect(throws: StoreFailure.self) { try StoredProblem.decode(text) }
    }

    @Test func aKeyWhoseProblemCannotBeReadAnswersWithAFaultOfOurs() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let key = IdempotencyKey(program: "rides", route: "POST /v1/cards/card-0001/provisionings", key: "key-1")
        let fingerprint = [UInt8](repeating: 1, count: 32)
        _ = try await fixture.store.claim(IdempotencyClaim(key: key, fingerprint: fingerprint), at: fixture.clock.now)
        try await fixture.store.finish(
            key, as: .problem(code: .providerTimeout, retry: .checkWalletFirst, status: 504, body: "{}"),
            at: fixture.clock.now)
        var command = try fixture.command()
        command.idempotency = IdempotencyClaim(key: key, fingerprint: fingerprint)
        #expect(await fixture.problem(command)?.code == .internalError)
        #expect(fixture.provider.requests.isEmpty)
    }
}
