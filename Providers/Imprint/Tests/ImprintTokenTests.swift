import ImprintProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("Which tokens Imprint knows of a card")
struct ImprintTokenTests {
    /// 11:58:07.250
    private let sentAt = Timestamp(milliseconds: 1_796_039_887_250)

    private func tokens(_ transport: any UpstreamTransport, from moment: Timestamp? = nil) async throws
        -> [TokenSighting]
    {
        try await ImprintHarness.provider(transport).tokens(
            of: ImprintHarness.card, createdFrom: moment ?? sentAt, deadline: .now + .seconds(5))
    }

    private func tokens(_ entry: String) async throws -> [TokenSighting] {
        let body = #"{"id":"x","card":{"tokens":[7,{\#(entry)}]}}"#
        return try await tokens(ScriptedTransport { _ in .answer(200, body) })
    }

    @Test func onlyApplesEntriesWithADateAreSeen() async throws {
        let replay = Replay(try ImprintHarness.fixtures.fixture("tokens", "card_exists"))
        let found = try await tokens(replay)
        #expect(replay.complaints == [])
        #expect(found.map(\.id) == ["token-invented-new", "token-invented-coarse"])
        #expect(found.map(\.precisionMilliseconds) == [1, 1000])
        #expect(found.map(\.createdAt?.milliseconds) == [1_796_039_887_250, 1_796_039_887_000])
        #expect(found.allSatisfy { $0.wallet == .applePay && $0.status == .unknown && $0.rawStatus.isEmpty })
        #expect(!ImprintProvider.descriptor.tellsActivation, "a guard must not wait for what is never told")
        let later = try await tokens(replay, from: sentAt.adding(milliseconds: 1))
        #expect(later.map(\.id) == ["token-invented-coarse"], "a whole second may hold the moment")
    }

    @Test(arguments: [
        #""type":"APPLE_WALLET","token":"t""#, #""type":"APPLE_WALLET","token":"t","created_at":null"#,
        #""type":"APPLE_WALLET","token":"t","created_at":1796039999"#,
        #""type":"APPLE_WALLET","token":"t","created_at":"30 Nov 2026""#,
        #""type":"APPLE_WALLET","created_at":"2026-11-30T12:00:00Z""#,
        #""type":"APPLE_WALLET","token":"two words","created_at":"2026-11-30T12:00:00Z""#,
        #""type":"apple_wallet","token":"t","created_at":"2026-11-30T12:00:00Z""#,
        #""type":"ADYEN","token":"t","created_at":"2026-11-30T12:00:00Z""#, #""token":"t""#,
    ])
    func whatCannotBeLaidToAnAttemptIsLeftOut(_ entry: String) async throws {
        #expect(try await tokens(entry) == [])
        #expect(
            try await tokens(#""type":"APPLE_WALLET","token":"t","created_at":"2026-11-30T12:00:00Z""#).count == 1)
    }

    @Test(arguments: [#"{"id":"x"}"#, #"{"id":"x","card":null}"#, #"{"id":"x","card":{"tokens":null}}"#])
    func aPaymentMethodWithoutTokensHasNone(_ body: String) async throws {
        #expect(try await tokens(ScriptedTransport { _ in .answer(200, body) }) == [])
    }

    @Test func aFailureIsTheTables() async throws {
        let answers: [(UpstreamResponse, ProblemCode)] = [
            (.answer(404, #"{"type":"INVALID_REQUEST_ERROR"}"#), .providerCardNotFound),
            (.answer(200, "{}"), .providerContractViolation), (.html(200, "Welcome"), .providerContractViolation),
        ]
        for (response, code) in answers {
            do {
                _ = try await tokens(ScriptedTransport { _ in response })
                Issue.record("no failure")
            } catch let error as ProvisioningError {
                #expect(error.code == code)
            }
        }
    }
}
