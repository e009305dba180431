import CheckoutProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Synchronization
import Testing

@Suite("What Checkout.com's failures mean")
struct CheckoutFailureTests {
    private func failure(
        _ answer: @escaping @Sendable () throws(TransportFailure) -> UpstreamResponse
    ) async throws -> ProvisioningError {
        let transport = ScriptedTransport { (request) async throws(TransportFailure) in
            if request.url.hasSuffix("/connect/token") { return CheckoutHarness.tokenAnswer() }
            return try answer()
        }
        let provider = try CheckoutHarness.provider(transport)
        do throws(ProvisioningError) {
            _ = try await provider.eligibility(
                of: CheckoutHarness.card, wallet: .applePay, deadline: .now + .seconds(5))
        } catch {
            return error
        }
        throw Violation("no failure")
    }

    private func failure(of response: UpstreamResponse) async throws -> ProvisioningError {
        try await failure { () throws(TransportFailure) in response }
    }

    /// E04: each status, with Checkout.com's body, without one, and with a body of its own.
    @Test(
        arguments: [
            (400, .providerRejected), (401, .providerUnauthorized), (403, .providerUnauthorized),
            (404, .providerCardNotFound), (405, .providerRejected), (409, .providerUnavailable),
            (422, .providerRejected), (429, .providerRateLimited), (500, .providerUnavailable),
            (502, .providerUnavailable), (503, .providerUnavailable), (504, .providerTimeout),
        ] as [(Int, ProblemCode)])
    func e04EveryStatusHasItsCode(_ status: Int, _ code: ProblemCode) async throws {
        let outcome: ProvisioningOutcome = status < 500 ? .refused : .unknown
        let body = #"{"request_id":"0HL80RJLS76I7","error_type":"request_invalid","error_codes":["card_odd"]}"#
        let told = try await failure(of: .answer(status, body))
        #expect(told.code == code && told.outcome == outcome)
        #expect(told.upstream == UpstreamReport(status: status, code: "card_odd", requestID: "0HL80RJLS76I7"))
        let silent = try await failure(of: .answer(status, "", headers: [("cko-request-id", "0HM4JP6HGEHBQ")]))
        #expect(silent.code == code && silent.outcome == outcome)
        #expect(silent.upstream == UpstreamReport(status: status, requestID: "0HM4JP6HGEHBQ"))
        let typed = try await failure(of: .answer(status, #"{"error_type":"odd_type","error_codes":[]}"#))
        #expect(typed.code == code && typed.upstream?.code == "odd_type")
    }

    /// E01: a page in place of an error is mapped by its status, and never a failure to decode.
    @Test func e01A404AsHTMLIsMappedByStatus() async throws {
        let error = try await failure(of: .html(404, "Not Found"))
        #expect(error.code == .providerCardNotFound && error.outcome == .refused)
        #expect(error.upstream == UpstreamReport(status: 404))
    }

    /// E03: a gateway's page is a failure, and its markup stays behind.
    @Test func e03A502IsNeverASuccess() async throws {
        let error = try await failure(of: .html(502, "Bad Gateway"))
        #expect(error.code == .providerUnavailable && error.outcome == .unknown)
        #expect(!String(reflecting: error).contains("Bad Gateway") && !String(reflecting: error).contains("<"))
    }

    /// E06: a failure inside a 2xx is one, and its reason is kept.
    @Test(
        arguments: [
            (#"{"status":"FAILED","reason":"no_such_luck"}"#, "no_such_luck"),
            (#"{"status":"FAILED","reason":"Sentences are no codes."}"#, nil),
        ] as [(String, String?)])
    func e06AFailureInsideASuccessKeepsItsReason(_ body: String, _ code: String?) async throws {
        let error = try await failure(of: .answer(200, body))
        #expect(error.code == .providerContractViolation)
        #expect(error.upstream == UpstreamReport(status: 200, code: code))
    }

    /// E08: with a fallback to a new access token, an operation still takes four exchanges at most.
    @Test func e08AFallbackDoesNotMultiplyTheCalls() async throws {
        let transport = ScriptedTransport { request in
            request.url.hasSuffix("/connect/token") ? CheckoutHarness.tokenAnswer() : .answer(401, "")
        }
        let provider = try CheckoutHarness.provider(transport)
        for round in 1...3 {
            _ = try? await provider.eligibility(
                of: CheckoutHarness.card, wallet: .applePay, deadline: .now + .seconds(5))
            // The token of the round before is at hand, and refused like every other.
            #expect(transport.requests.count == round * 3 + 1)
        }
    }

    /// E09: what never came to an answer goes the same way as what did.
    @Test(
        arguments: [
            (.notSent(.unreachable), .providerUnavailable, .notSent), (.notSent(.tls), .providerUnavailable, .notSent),
            (.notSent(.unresolved), .providerUnavailable, .notSent), (.notSent(.deadline), .providerTimeout, .notSent),
            (.outcomeUnknown(.broken), .providerTimeout, .unknown),
            (.outcomeUnknown(.garbled), .providerTimeout, .unknown),
        ] as [(TransportFailure, ProblemCode, ProvisioningOutcome)])
    func e09NoAnswerIsToldByTheSameWords(
        _ failure: TransportFailure, _ code: ProblemCode, _ outcome: ProvisioningOutcome
    ) async throws {
        let error = try await self.failure { () throws(TransportFailure) in throw failure }
        #expect(error.code == code && error.outcome == outcome && error.upstream == nil)
    }

    /// E12: what is not known is not tried again for its own sake.
    @Test func e12AnUnknownRefusalIsForGood() async throws {
        let refusal = try await failure(of: .answer(418, #"{"error_type":"teapot"}"#))
        #expect(refusal.code.retry(in: .sentRepeatable) == .never)
        let failure = try await failure(of: .answer(599, #"{"error_type":"teapot"}"#))
        #expect(failure.code.retry(in: .sentRepeatable) == .afterDelay)
    }

    /// E13: a body that imitates our own problems is not believed.
    @Test func e13AlreadyProvisionedIsNotTakenFromAnImitation() async throws {
        let body = #"{"error_type":"already_provisioned","code":"already_provisioned","outcome":"applied"}"#
        let error = try await failure(of: .answer(422, body))
        #expect(error.code == .providerRejected && error.outcome == .refused)
    }

    @Test func theWaitIsRead() async throws {
        let error = try await failure(of: .answer(429, "", headers: [("retry-after", "3")]))
        #expect(error.retryAfter == .seconds(3) && error.retryAdvice == nil)
    }

    @Test func aCodeThatMayBeACardNumberIsNotTold() async throws {
        let number = ["4111", "1111", "1111", "1111"].joined()
        let error = try await failure(
            of: .answer(422, #"{"request_id":"\#(number)","error_type":"x","error_codes":["\#(number)"]}"#))
        #expect(error.upstream == UpstreamReport(status: 422))
    }
}
