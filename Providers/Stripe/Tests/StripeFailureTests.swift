import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import StripeProvider
import Testing

@Suite("What Stripe's failures mean")
struct StripeFailureTests {
    private func failure(of response: UpstreamResponse) async throws -> ProvisioningError {
        try await failure(ScriptedTransport { _ in response })
    }

    private func failure(_ transport: ScriptedTransport) async throws -> ProvisioningError {
        let provider = try StripeHarness.provider(transport)
        let request = try StripeHarness.request()
        let error = await #expect(throws: ProvisioningError.self) { try await provider.provision(request) }
        return try #require(error)
    }

    private func body(_ type: String, _ code: String?, param: String? = nil) -> String {
        let code = code.map { #""code":"\#($0)","# } ?? ""
        let param = param.map { #""param":"\#($0)","# } ?? ""
        return #"{"error":{\#(code)\#(param)"message":"Words.","type":"\#(type)"}}"#
    }

    /// E04: each status with Stripe's types and codes.
    @Test(
        arguments: [
            (400, "invalid_request_error", nil, .providerRejected),
            (400, "invalid_request_error", "parameter_unknown", .providerRejected),
            (400, "invalid_request_error", "resource_missing", .providerCardNotFound),
            (400, "invalid_request_error", "rate_limit", .providerRateLimited),
            (400, "invalid_request_error", "livemode_mismatch", .providerUnauthorized),
            (400, "idempotency_error", nil, .providerRejected), (400, "holiday_error", "holiday", .providerRejected),
            (401, "invalid_request_error", nil, .providerUnauthorized),
            (401, "invalid_request_error", "api_key_expired", .providerUnauthorized),
            (401, "invalid_request_error", "resource_missing", .providerUnauthorized),
            (402, "card_error", "card_declined", .providerRejected), (402, "card_error", nil, .providerRejected),
            (402, "holiday_error", nil, .providerRejected),
            (403, "invalid_request_error", nil, .providerUnauthorized),
            (403, "invalid_request_error", "account_invalid", .providerUnauthorized),
            (403, "invalid_request_error", "secret_key_required", .providerUnauthorized),
            (404, "invalid_request_error", "resource_missing", .providerCardNotFound),
            (404, "invalid_request_error", nil, .providerRejected),
            (404, "invalid_request_error", "livemode_mismatch", .providerUnauthorized),
            (409, "idempotency_error", "idempotency_key_in_use", .providerUnavailable),
            (409, "invalid_request_error", "lock_timeout", .providerUnavailable),
            (409, "holiday_error", nil, .providerUnavailable),
            (422, "invalid_request_error", nil, .providerRejected), (424, "api_error", nil, .providerUnavailable),
            (429, "invalid_request_error", "rate_limit", .providerRateLimited),
            (429, "invalid_request_error", "lock_timeout", .providerRateLimited),
            (429, "holiday_error", nil, .providerRateLimited), (500, "api_error", nil, .providerUnavailable),
            (503, "invalid_request_error", "resource_missing", .providerUnavailable),
            (504, "api_error", nil, .providerTimeout),
        ] as [(Int, String, String?, ProblemCode)])
    func e04EveryAnswerHasItsCode(_ status: Int, _ type: String, _ code: String?, _ ours: ProblemCode) async throws {
        let error = try await failure(of: .answer(status, body(type, code)))
        #expect(error.code == ours)
        #expect(error.outcome == (status < 500 ? .refused : .unknown))
        #expect(error.upstream == UpstreamReport(status: status, code: code ?? type))
    }

    @Test(
        arguments: [
            ("issuing_card", .providerCardNotFound), ("card", .providerCardNotFound), ("id", .providerCardNotFound),
            (nil, .providerCardNotFound), ("customer", .providerRejected), ("verification_session", .providerRejected),
        ] as [(String?, ProblemCode)])
    func aMissingCardIsToldFromOtherThings(_ param: String?, _ code: ProblemCode) async throws {
        for status in [400, 404] {
            let body = body("invalid_request_error", "resource_missing", param: param)
            #expect(try await failure(of: .answer(status, body)).code == code)
        }
    }

    /// S12: a refusal has a sentence of ours, and none of Stripe's.
    @Test func s12ARefusalIsNeverSilent() async throws {
        let error = try await failure(of: .answer(400, body("invalid_request_error", "parameter_invalid_empty")))
        #expect(!error.code.entry.meaning.isEmpty)
        #expect(!String(reflecting: error).contains("Words."))
    }

    /// S14: Stripe's refusal of our key is a fault between us and Stripe, and is not told as the caller's.
    @Test func s14ARefusedKeyIsTheConnectionsFault() async throws {
        let error = try await failure(of: .answer(401, body("invalid_request_error", nil)))
        #expect(error.code == .providerUnauthorized)
        #expect(error.code.entry.status == 502)
        #expect(try await failure(of: .answer(402, body("card_error", nil))).code.entry.status == 422)
    }

    /// E01: a page in place of an error is mapped by its status, and never a failure to decode.
    @Test func e01A404AsHTMLIsMappedByStatus() async throws {
        let error = try await failure(of: .html(404, "Not Found"))
        #expect(error.code == .providerRejected)
        #expect(error.outcome == .refused)
        #expect(error.upstream == UpstreamReport(status: 404))
    }

    /// E03: a gateway's page is a failure, and its markup stays behind.
    @Test func e03A502IsNeverASuccess() async throws {
        let error = try await failure(of: .html(502, "Bad Gateway"))
        #expect(error.code == .providerUnavailable)
        #expect(error.outcome == .unknown)
        #expect(!String(reflecting: error).contains("Bad Gateway"))
        #expect(!String(reflecting: error).contains("<"))
    }

    /// E06: a failure inside a 2xx is one, and its reason is kept.
    @Test(
        arguments: [
            (#"{"status":"FAILED","reason":"no_such_luck"}"#, "no_such_luck"),
            (#"{"error":{"type":"api_error","message":"Words."}}"#, "api_error"),
            (#"{"error":{"type":"invalid_request_error","code":"rate_limit"}}"#, "rate_limit"),
            (#"{"status":"FAILED","reason":"Sentences are no codes."}"#, nil), (#"{"error":"invalid_client"}"#, nil),
        ] as [(String, String?)])
    func e06AFailureInsideASuccessKeepsItsReason(_ body: String, _ code: String?) async throws {
        let error = try await failure(of: .answer(200, body))
        #expect(error.code == .providerContractViolation)
        #expect(error.upstream == UpstreamReport(status: 200, code: code))
    }

    /// E09: what the transport says goes through the same rules as what Stripe says.
    @Test(
        arguments: [
            (.notSent(.unreachable), .providerUnavailable, .notSent, .afterDelay),
            (.notSent(.tls), .providerUnavailable, .notSent, .afterDelay),
            (.outcomeUnknown(.broken), .providerTimeout, .unknown, .sameRequest),
        ] as [(TransportFailure, ProblemCode, ProvisioningOutcome, RetryClass)])
    func e09TransportAndAnswersShareOneRule(
        _ failure: TransportFailure, _ code: ProblemCode, _ outcome: ProvisioningOutcome, _ retry: RetryClass
    ) async throws {
        let error = try await self.failure(ScriptedTransport { _ throws(TransportFailure) in throw failure })
        #expect(error.code == code && error.outcome == outcome)
        #expect(error.code.retry(in: outcome == .notSent ? .notSent : .sentRepeatable) == retry)
    }

    /// E12: what is not known is not tried again for its own sake; a failure may be, because a key may be made twice.
    @Test func e12AnUnknownRefusalIsForGoodAndAnUnknownFailureIsNot() async throws {
        let refusal = try await failure(of: .answer(418, body("teapot_error", nil)))
        #expect(refusal.code.retry(in: .sentRepeatable) == .never)
        let failure = try await failure(of: .answer(599, body("teapot_error", nil)))
        #expect(failure.code.retry(in: .sentRepeatable) == .afterDelay)
    }

    /// E13: Stripe has no word for a card that is in the wallet already; a body that has ours is not believed.
    @Test func e13AlreadyProvisionedIsNotTakenFromAnImitation() async throws {
        let body =
            #"{"code":"already_provisioned","outcome":"applied","error":{"type":"x","code":"already_provisioned"}}"#
        let error = try await failure(of: .answer(422, body))
        #expect(error.code == .providerRejected)
        #expect(error.outcome == .refused)
    }

    @Test(arguments: [("true", true), ("false", false), ("TRUE", true), ("maybe", nil)] as [(String, Bool?)])
    func stripesAdviceOnARepeatIsTold(_ value: String, _ advice: Bool?) async throws {
        let response = UpstreamResponse.answer(500, "{}", headers: [("stripe-should-retry", value)])
        #expect(try await failure(of: response).retryAdvice == advice)
    }

    @Test func stripesRequestIDIsToldForItsSupport() async throws {
        let response = UpstreamResponse.answer(
            400, body("invalid_request_error", nil), headers: [("request-id", "req_Invented1")])
        let error = try await failure(of: response)
        #expect(
            error.upstream
                == UpstreamReport(status: 400, code: "invalid_request_error", requestID: "req_Invented1"))
    }

    @Test func aCodeThatMayBeACardNumberIsNotTold() async throws {
        let number = ["4111", "1111", "1111", "1111"].joined()
        let response = UpstreamResponse.answer(
            400, body("invalid_request_error", number), headers: [("request-id", number)])
        #expect(try await failure(of: response).upstream == UpstreamReport(status: 400))
    }

    @Test(arguments: [
        #"{"error":null}"#, #"{"error":[]}"#, #"{"error":{"code":7,"type":[]}}"#, #"{"error":{"code":null}}"#, "{}",
    ])
    func anErrorOfAnotherFormGoesByItsStatus(_ body: String) async throws {
        let error = try await failure(of: .answer(409, body))
        #expect(error.code == .providerUnavailable)
        #expect(error.upstream == UpstreamReport(status: 409))
    }
}
