import IncreaseProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("What Increase's failures mean")
struct IncreaseFailureTests {
    private func failure(of response: UpstreamResponse, _ wallet: Wallet = .applePay) async throws -> ProvisioningError
    {
        let provider = try IncreaseHarness.provider(ScriptedTransport { _ in response })
        let request = try IncreaseHarness.request(wallet)
        do throws(ProvisioningError) {
            _ = try await provider.provision(request)
        } catch {
            return error
        }
        throw Violation("no failure")
    }

    /// E04: each of Increase's types, by itself and with a member of the handshake.
    @Test(
        arguments: [
            (400, "invalid_parameters_error", .providerRejected), (400, "malformed_request_error", .providerRejected),
            (401, "invalid_api_key_error", .providerUnauthorized),
            (403, "environment_mismatch_error", .providerUnauthorized),
            (403, "insufficient_permissions_error", .providerUnauthorized),
            (403, "private_feature_error", .programNotEnabled), (403, "of_no_meaning_error", .providerUnauthorized),
            (404, "api_method_not_found_error", .programNotEnabled),
            (404, "object_not_found_error", .providerCardNotFound),
            (409, "idempotency_key_already_used_error", .providerRejected),
            (409, "invalid_operation_error", .providerRejected), (422, "object_not_found_error", .providerCardNotFound),
            (429, "rate_limited_error", .providerRateLimited), (429, "of_no_meaning_error", .providerRateLimited),
            (500, "internal_server_error", .providerUnavailable), (503, "object_not_found_error", .providerUnavailable),
            (504, "internal_server_error", .providerTimeout),
        ] as [(Int, String, ProblemCode)])
    func e04EveryTypeHasItsCode(_ status: Int, _ type: String, _ code: ProblemCode) async throws {
        let body = #"{"type":"\#(type)","title":"Words.","detail":null,"status":\#(status)}"#
        let error = try await failure(of: .answer(status, body))
        #expect(error.code == code)
        #expect(error.outcome == (status < 500 ? .refused : .unknown))
        #expect(error.upstream == UpstreamReport(status: status, code: type))
    }

    @Test(arguments: [
        ("apple_pay_in_app.nonce", ProblemCode.handshakeRejected), ("google_pay_web", .handshakeRejected),
        ("cardholder_name", .providerRejected), ("apple_pay_in_app_extra", .providerRejected),
    ])
    func aRefusedHandshakeIsToldFromOtherMembers(_ field: String, _ code: ProblemCode) async throws {
        let body = #"{"type":"invalid_parameters_error","errors":[7,{},{"field":"\#(field)","message":"no"}]}"#
        #expect(try await failure(of: .answer(400, body)).code == code)
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
            (#"{"type":"object_not_found_error","title":"Words.","status":404}"#, "object_not_found_error"),
            (#"{"status":"FAILED","reason":"Sentences are no codes."}"#, nil),
        ] as [(String, String?)])
    func e06AFailureInsideASuccessKeepsItsReason(_ body: String, _ code: String?) async throws {
        let error = try await failure(of: .answer(200, body))
        #expect(error.code == .providerContractViolation)
        #expect(error.upstream == UpstreamReport(status: 200, code: code))
    }

    /// E12: what is not known is not tried again for its own sake.
    @Test func e12AnUnknownRefusalIsForGoodAndAnUnknownFailureNeedsAFreshHandshake() async throws {
        let refusal = try await failure(of: .answer(418, #"{"type":"teapot_error"}"#))
        #expect(refusal.code.retry(in: .sentSingleUse) == .never)
        let failure = try await failure(of: .answer(599, #"{"type":"teapot_error"}"#))
        #expect(failure.code.retry(in: .sentSingleUse) == .freshHandshake)
    }

    /// E13: Increase has no word for a card that is in the wallet already; a body that has ours is not believed.
    @Test func e13AlreadyProvisionedIsNotTakenFromAnImitation() async throws {
        let body = #"{"type":"already_provisioned","code":"already_provisioned","outcome":"applied"}"#
        let error = try await failure(of: .answer(409, body))
        #expect(error.code == .providerRejected)
        #expect(error.outcome == .refused)
    }

    @Test(
        arguments: [
            ([("retry-after", "3")], #"{"type":"rate_limited_error","retry_after":9}"#, Duration.seconds(3)),
            ([("retry-after-ms", "250"), ("retry-after", "3")], "{}", .milliseconds(250)),
            ([], #"{"type":"rate_limited_error","retry_after":9}"#, .seconds(9)),
            ([], #"{"type":"rate_limited_error","retry_after":-4}"#, .zero),
            ([], #"{"type":"rate_limited_error","retry_after":1e300}"#, .seconds(3600)),
            ([], #"{"type":"rate_limited_error","retry_after":null}"#, nil),
        ] as [([(name: String, value: String)], String, Duration?)])
    func theWaitIsReadFromHeadersFirst(_ headers: [(name: String, value: String)], _ body: String, _ wait: Duration?)
        async throws
    {
        #expect(try await failure(of: .answer(429, body, headers: headers)).retryAfter == wait)
    }

    @Test(arguments: [("true", true), ("false", false), ("maybe", nil)] as [(String, Bool?)])
    func increasesAdviceOnARepeatIsTold(_ value: String, _ advice: Bool?) async throws {
        let response = UpstreamResponse.answer(500, "{}", headers: [("x-should-retry", value)])
        #expect(try await failure(of: response, .googlePay).retryAdvice == advice)
    }

    @Test func aCodeThatMayBeACardNumberIsNotTold() async throws {
        let number = ["4111", "1111", "1111", "1111"].joined()
        let error = try await failure(of: .answer(400, #"{"type":"\#(number)"}"#, headers: [("x-request-id", number)]))
        #expect(error.upstream == UpstreamReport(status: 400))
    }
}
