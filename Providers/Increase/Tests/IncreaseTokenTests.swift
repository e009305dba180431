import IncreaseProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("Which tokens Increase knows of a card")
struct IncreaseTokenTests {
    /// 11:58:07.400: the fixture's first token is dated to the second that it lies in.
    private let sentAt = Timestamp(milliseconds: 1_796_039_887_400)

    private func tokens(_ transport: any UpstreamTransport, from moment: Timestamp? = nil) async throws
        -> [TokenSighting]
    {
        let provider = try IncreaseHarness.provider(transport)
        return try await provider.tokens(
            of: IncreaseHarness.card, createdFrom: moment ?? sentAt, deadline: .now + .seconds(5))
    }

    private func tokens(_ members: String) async throws -> [TokenSighting] {
        try await tokens(ScriptedTransport { _ in .answer(200, #"{"data":[{\#(members)}],"next_cursor":null}"#) })
    }

    private func failure(_ bodies: String...) async -> ProvisioningError? {
        let transport = ScriptedTransport(answers: bodies.map { .success(.answer(200, $0)) })
        do {
            _ = try await tokens(transport)
            return nil
        } catch {
            return error as? ProvisioningError
        }
    }

    @Test func theListIsReadToItsLastPage() async throws {
        let replay = Replay(try IncreaseHarness.fixtures.fixture("tokens", "card_exists"))
        let tokens = try await tokens(replay)
        #expect(replay.complaints == [])
        #expect(replay.requests.count == 2)
        #expect(
            tokens == [
                TokenSighting(
                    id: "digital_wallet_token_invented1", status: .active, rawStatus: "active", wallet: .applePay,
                    createdAt: Timestamp(seconds: 1_796_039_887), precisionMilliseconds: 1000,
                    providerCardID: IncreaseHarness.card.providerCardID),
                TokenSighting(
                    id: "digital_wallet_token_invented2", status: .unknown, rawStatus: "hibernating", wallet: nil,
                    createdAt: Timestamp(seconds: 1_796_039_888), precisionMilliseconds: 1000,
                    providerCardID: IncreaseHarness.card.providerCardID),
                TokenSighting(
                    id: "digital_wallet_token_invented3", status: .verificationRequired, rawStatus: "inactive",
                    wallet: .googlePay, createdAt: Timestamp(milliseconds: 1_796_039_889_125),
                    precisionMilliseconds: 1, providerCardID: IncreaseHarness.card.providerCardID),
            ])
    }

    @Test(
        arguments: [
            ("active", .active, "active"), ("inactive", .verificationRequired, "inactive"),
            ("suspended", .suspended, "suspended"), ("deactivated", .deleted, "deactivated"),
            ("pending_transitioning", .unknown, "pending_transitioning"), ("ACTIVE", .unknown, "ACTIVE"),
            ("resting now", .unknown, ""), ("", .unknown, ""),
        ] as [(String, TokenStatus, String)])
    func everyStatusHasItsWordAndTheRawOneIsKept(_ word: String, _ status: TokenStatus, _ raw: String) async throws {
        let token = try #require(
            try await tokens(#""id":"t","status":"\#(word)","created_at":"2026-11-30T12:00:00Z""#).first)
        #expect(token.status == status)
        #expect(token.rawStatus == raw)
        #expect(token.wallet == nil)
    }

    @Test(
        arguments: [
            ("apple_pay", .applePay), ("google_pay", .googlePay), ("samsung_pay", .samsungPay), ("garmin_pay", nil),
            ("unknown", nil),
        ] as [(String, Wallet?)])
    func everyRequestorIsAWalletOrNone(_ requestor: String, _ wallet: Wallet?) async throws {
        let token = try #require(
            try await tokens(
                #""id":"t","status":"active","created_at":"2026-11-30T12:00:00Z","token_requestor":"\#(requestor)""#
            ).first)
        #expect(token.wallet == wallet)
    }

    /// The call left at 11:58:07.400. A whole second may lie before it and still be the one; a fraction may not.
    @Test(arguments: [
        ("2026-11-30T11:58:06Z", false), ("2026-11-30T11:58:07Z", true), ("2026-11-30T11:58:07.399Z", false),
        ("2026-11-30T11:58:07.400Z", true), ("2026-11-30T11:58:07.4001Z", true), ("2026-11-30T06:58:08-05:00", true),
    ])
    func aTokenIsComparedByItsOwnPrecision(_ created: String, _ isSeen: Bool) async throws {
        let found = try await tokens(#""id":"t","status":"active","created_at":"\#(created)""#)
        #expect(found.isEmpty != isSeen)
    }

    @Test(arguments: [
        "{}", #"{"data":{}}"#, #"{"data":[7]}"#, #"{"data":[{"status":"active","created_at":"2026-11-30T12:00:00Z"}]}"#,
        #"{"data":[{"id":"t","created_at":"2026-11-30T12:00:00Z"}]}"#, #"{"data":[{"id":"t","status":"active"}]}"#,
        #"{"data":[{"id":"t","status":"active","created_at":"yesterday"}]}"#, #"{"data":[],"next_cursor":7}"#,
        #"{"data":[],"next_cursor":""}"#,
    ])
    func aListThatIsNotAsTheSchemaSaysIsNoAnswer(_ body: String) async {
        #expect(await failure(body)?.code == .providerContractViolation)
    }

    @Test func aListThatGoesRoundOrDoesNotEndIsNoAnswer() async throws {
        let page = #"{"data":[],"next_cursor":"same"}"#
        #expect(await failure(page, page)?.code == .providerContractViolation)
        let transport = ScriptedTransport { request in
            let last = request.url.split(separator: "&cursor=").dropFirst().first ?? ""
            return .answer(200, #"{"data":[],"next_cursor":"\#(last)x"}"#)
        }
        await #expect(throws: ProvisioningError.self) { _ = try await tokens(transport) }
        #expect(transport.requests.count == 10)
    }

    @Test func anotherCardsIDIsSentNowhere() async throws {
        let transport = ScriptedTransport(answers: [])
        var card = IncreaseHarness.card
        card.providerCardID = "card_a&limit=1"
        let provider = try IncreaseHarness.provider(transport)
        await #expect(throws: ProvisioningError.self) {
            _ = try await provider.tokens(of: card, createdFrom: sentAt, deadline: .now + .seconds(5))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func aFailureIsTheTables() async throws {
        let transport = ScriptedTransport { _ in .answer(404, #"{"type":"object_not_found_error"}"#) }
        await #expect(throws: ProvisioningError.self) { _ = try await tokens(transport) }
        do {
            _ = try await tokens(transport)
        } catch let error as ProvisioningError {
            #expect(error.code == .providerCardNotFound)
        }
    }

    @Test func aTokenThatIsNotThereIsNoCardThatIsNotThere() async throws {
        let transport = ScriptedTransport { _ in .answer(404, #"{"type":"object_not_found_error"}"#) }
        let provider = try IncreaseHarness.provider(transport)
        let error = await #expect(throws: ProvisioningError.self) {
            _ = try await provider.token(
                "sandbox_digital_wallet_token_1", of: IncreaseHarness.card, deadline: .now + .seconds(5))
        }
        #expect(error?.code == .tokenNotFound && error?.outcome == .refused)
    }
}
