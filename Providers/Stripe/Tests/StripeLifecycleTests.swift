import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import StripeProvider
import Testing

@Suite("Stripe's tokens are read and changed")
struct StripeLifecycleTests {
    private static func answer(_ status: String, id: String = "intok_1") -> UpstreamResponse {
        .answer(
            200,
            """
            {"id":"\(id)","object":"issuing.token","card":{"id":"ic_2","object":"issuing.card"},"created":1796040007,
            "status":"\(status)","wallet_provider":"google_pay","last4":"9341"}
            """)
    }

    private func change(_ change: TokenChange, _ transport: ScriptedTransport, id: String = "intok_1") async throws
        -> TokenSighting
    {
        try await StripeHarness.provider(transport).change(
            id, of: StripeHarness.card, by: change, idempotencyKey: "change_1", deadline: .now + .seconds(5))
    }

    private func read(_ transport: ScriptedTransport, id: String = "intok_1") async throws -> TokenSighting {
        try await StripeHarness.provider(transport).token(id, of: StripeHarness.card, deadline: .now + .seconds(5))
    }

    @Test(arguments: [(TokenChange.suspend, "suspended"), (.resume, "active"), (.delete, "deleted")])
    func aChangeIsAStatusInAForm(_ change: TokenChange, _ word: String) async throws {
        let transport = ScriptedTransport { _ in Self.answer(word) }
        let token = try await self.change(change, transport)
        #expect(token.rawStatus == word && token.providerCardID == "ic_2" && token.last4 == "9341")
        let request = try #require(transport.requests.first)
        #expect(request.method == .post && request.url == "https://api.stripe.com/v1/issuing/tokens/intok_1")
        #expect(request.body?.revealText() == "status=\(word)")
        #expect(request.headers.contains(.init("Idempotency-Key", "change_1")))
        #expect(transport.requests.count == 1)
    }

    /// Who lifts a suspension lifts only its own.
    @Test func whatStripeAnswersIsTold() async throws {
        let token = try await change(.resume, ScriptedTransport { _ in Self.answer("suspended") })
        #expect(token.status == .suspended)
    }

    @Test func aMissingTokenIsToldApartFromAMissingCard() async throws {
        let body = #"{"error":{"type":"invalid_request_error","code":"resource_missing","param":"token"}}"#
        for id in ["intok_1", "intok_2"] {
            let error = await #expect(throws: ProvisioningError.self) {
                try await read(ScriptedTransport { _ in .answer(404, body) }, id: id)
            }
            #expect(error?.code == .tokenNotFound && error?.outcome == .refused)
        }
    }

    @Test(arguments: ["", "..", "intok_", "intok_1/..", "intok_1?a=b", "tok_1"])
    func anIDOfAnotherFormIsSentNowhere(_ id: String) async throws {
        let transport = ScriptedTransport(answers: [])
        for error in [
            await #expect(throws: ProvisioningError.self) { try await read(transport, id: id) },
            await #expect(throws: ProvisioningError.self) { try await change(.delete, transport, id: id) },
        ] {
            #expect(error?.code == .tokenNotFound && error?.outcome == .notSent)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func anotherTokenIsNoAnswer() async throws {
        for body in [Self.answer("active", id: "intok_2"), .answer(200, "{}")] {
            let error = await #expect(throws: ProvisioningError.self) {
                try await read(ScriptedTransport { _ in body })
            }
            #expect(error?.code == .providerContractViolation)
        }
    }

    @Test func theWholeListIsAskedForWithoutATime() async throws {
        let transport = ScriptedTransport { _ in .answer(200, #"{"data":[],"has_more":false}"#) }
        let tokens = try await StripeHarness.provider(transport).tokens(
            of: StripeHarness.card, deadline: .now + .seconds(5))
        #expect(tokens.isEmpty)
        #expect(
            transport.requests.map(\.url) == [
                "https://api.stripe.com/v1/issuing/tokens?card=ic_1GWQp6Invented&limit=100"
            ])
    }
}
