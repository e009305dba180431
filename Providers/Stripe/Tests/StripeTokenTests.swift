import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import StripeProvider
import Testing

@Suite("Which tokens Stripe knows of")
struct StripeTokenTests {
    private let from = Timestamp(milliseconds: 1_796_040_000_999)

    private func tokens(_ transport: ScriptedTransport, of card: CardBinding = StripeHarness.card) async throws
        -> [TokenSighting]
    {
        try await StripeHarness.provider(transport).tokens(
            of: card, createdFrom: from, deadline: .now + .seconds(5))
    }

    private func page(_ data: String, hasMore: Bool = false) -> UpstreamResponse {
        .answer(200, #"{"object":"list","url":"/v1/issuing/tokens","has_more":\#(hasMore),"data":[\#(data)]}"#)
    }

    private func token(_ id: String, _ members: String = #""status":"active","wallet_provider":"apple_pay""#) -> String
    {
        #"{"id":"\#(id)","object":"issuing.token","card":"ic_1GWQp6Invented","created":1796040007,\#(members)}"#
    }

    @Test func theCardsTokensAreAskedForFromTheSecondOnWhichTheCallWasSent() async throws {
        let transport = ScriptedTransport(answers: [.success(page(""))])
        #expect(try await tokens(transport) == [])
        let request = try #require(transport.requests.first)
        #expect(
            request.url
                == "https://api.stripe.com/v1/issuing/tokens?card=ic_1GWQp6Invented&created%5Bgte%5D=1796040000&limit=100"
        )
        #expect(request.method == .get && request.body == nil)
        let names = request.headers.map { $0.name.lowercased() }.sorted()
        #expect(names == ["accept", "authorization", "stripe-account", "stripe-version"])
    }

    @Test(
        arguments: [
            ("requested", .requested), ("active", .active), ("suspended", .suspended), ("deleted", .deleted),
            ("resting", .unknown), ("ACTIVE", .unknown),
        ] as [(String, TokenStatus)])
    func aStatusThatNobodyKnowsIsUnknown(_ word: String, _ status: TokenStatus) async throws {
        let data = token("intok_1", #""status":"\#(word)","wallet_provider":"google_pay""#)
        let sightings = try await tokens(ScriptedTransport { _ in page(data) })
        #expect(
            sightings == [
                TokenSighting(
                    id: "intok_1", status: status, rawStatus: word, wallet: .googlePay,
                    createdAt: Timestamp(seconds: 1_796_040_007), precisionMilliseconds: 1000,
                    providerCardID: "ic_1GWQp6Invented")
            ])
    }

    @Test(
        arguments: [
            (#""apple_pay""#, .applePay), (#""google_pay""#, .googlePay), (#""samsung_pay""#, .samsungPay),
            ("null", nil), (#""garmin_pay""#, nil), ("7", nil),
        ] as [(String, Wallet?)])
    func aMerchantsTokenIsInNoWallet(_ provider: String, _ wallet: Wallet?) async throws {
        let data = token("intok_1", #""status":"active","wallet_provider":\#(provider)"#)
        #expect(try await tokens(ScriptedTransport { _ in page(data) }).map(\.wallet) == [wallet])
    }

    @Test func allPagesAreRead() async throws {
        let transport = ScriptedTransport(answers: [
            .success(page("\(token("intok_3")),\(token("intok_2"))", hasMore: true)), .success(page(token("intok_1"))),
        ])
        #expect(try await tokens(transport).map(\.id) == ["intok_3", "intok_2", "intok_1"])
        #expect(transport.requests.map { $0.url.hasSuffix("&starting_after=intok_2") } == [false, true])
    }

    /// Half a list must not pass for the whole: the token that is looked for may be in the other half.
    @Test func aListWithoutAnEndIsNone() async throws {
        let more = [
            (10, ScriptedTransport { [self] in page(token("intok_\(Self.tail(of: $0.url))1"), hasMore: true) }),
            (2, ScriptedTransport { [self] _ in page(token("intok_1"), hasMore: true) }),
            (1, ScriptedTransport { [self] _ in page("", hasMore: true) }),
        ]
        for (calls, transport) in more {
            let error = await #expect(throws: ProvisioningError.self) { try await tokens(transport) }
            #expect(error?.code == .providerContractViolation)
            #expect(transport.requests.count == calls)
        }
    }

    /// What stands behind `starting_after=intok_`; nothing on the first page.
    private static func tail(of url: String) -> Substring {
        url.split(separator: "starting_after=intok_", omittingEmptySubsequences: false).dropFirst().first ?? ""
    }

    /// Ids and statuses are kept, so only what is a word is.
    @Test func aStatusThatIsNoWordIsNotKept() async throws {
        for status in ["Resting, for now", String(repeating: "x", count: 65), "4111" + "111111111111"] {
            let data = token("intok_1", #""status":"\#(status)","wallet_provider":"apple_pay""#)
            let sightings = try await tokens(ScriptedTransport { _ in page(data) })
            #expect(sightings.map(\.status) == [.unknown] && sightings.map(\.rawStatus) == [""])
        }
    }

    @Test(arguments: [
        #"{"object":"list"}"#, #"{"data":{}}"#, #"{"data":[7]}"#, #"{"data":[{"id":"intok_1","status":"active"}]}"#,
        #"{"data":[{"id":"","status":"active","created":1}]}"#, #"{"data":[{"id":"intok_1","created":1}]}"#,
        #"{"data":[{"id":"intok 1","status":"active","created":1}]}"#,
        #"{"data":[{"id":"intok_1","status":"active","created":"today"}]}"#,
        #"{"data":[{"id":"intok_1","status":"active","created":1e18}]}"#,
    ])
    func whatIsNoListBreaksTheContract(_ body: String) async throws {
        let error = await #expect(throws: ProvisioningError.self) {
            try await tokens(ScriptedTransport { _ in .answer(200, body) })
        }
        #expect(error?.code == .providerContractViolation)
    }

    @Test func aFailureIsTheTables() async throws {
        let body = #"{"error":{"type":"invalid_request_error","code":"resource_missing","param":"card"}}"#
        let error = await #expect(throws: ProvisioningError.self) {
            try await tokens(ScriptedTransport { _ in .answer(404, body) })
        }
        #expect(error?.code == .providerCardNotFound)
    }

    @Test(arguments: ["", "..", "ic_1&status=active", "ic_1#", "card_1"])
    func anIDOfAnotherFormIsSentNowhere(_ id: String) async throws {
        let transport = ScriptedTransport(answers: [])
        var card = StripeHarness.card
        card.providerCardID = id
        let error = await #expect(throws: ProvisioningError.self) { try await tokens(transport, of: card) }
        #expect(error?.outcome == .notSent)
        #expect(transport.requests.isEmpty)
    }

    /// The path names a token: whatever Stripe calls what it did not find, that is it.
    @Test(arguments: ["", #","param":"id""#, #","param":"token""#, #","param":"card""#])
    func aTokenThatIsNotThereIsNoCardThatIsNotThere(_ parameter: String) async throws {
        let body = #"{"error":{"type":"invalid_request_error","code":"resource_missing"\#(parameter)}}"#
        let provider = try StripeHarness.provider(ScriptedTransport { _ in .answer(404, body) })
        let read = await #expect(throws: ProvisioningError.self) {
            _ = try await provider.token("intok_1", of: StripeHarness.card, deadline: .now + .seconds(5))
        }
        let changed = await #expect(throws: ProvisioningError.self) {
            _ = try await provider.change(
                "intok_1", of: StripeHarness.card, by: .suspend, idempotencyKey: "key", deadline: .now + .seconds(5))
        }
        for error in [read, changed] { #expect(error?.code == .tokenNotFound && error?.outcome == .refused) }
    }
}
