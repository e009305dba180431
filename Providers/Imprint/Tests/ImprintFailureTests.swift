import ImprintProvider
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("What Imprint's failures mean")
struct ImprintFailureTests {
    private func failure(of response: UpstreamResponse, _ wallet: Wallet = .applePay) async throws -> ProvisioningError
    {
        try await ImprintHarness.failure(of: response, wallet)
    }

    private func eligibilityFailure(of response: UpstreamResponse) async throws -> ProvisioningError? {
        let provider = try ImprintHarness.provider(ScriptedTransport { _ in response })
        do throws(ProvisioningError) {
            _ = try await provider.eligibility(
                of: ImprintHarness.card, wallet: .applePay, deadline: .now + .seconds(5))
            return nil
        } catch {
            return error
        }
    }

    /// E04: the page's codes, in the provisioning call's own shape.
    @Test(
        arguments: [
            (400, "invalid_request", .handshakeRejected), (400, "wallet_unsupported", .walletUnsupported),
            (403, "permission_denied", .providerUnauthorized), (403, "of_no_meaning", .providerUnauthorized),
            (404, "payment_method_not_found", .providerCardNotFound), (404, "of_no_meaning", .providerRejected),
            (409, "already_provisioned", .alreadyProvisioned), (409, "of_no_meaning", .providerRejected),
            (422, "device_ineligible", .deviceIneligible), (422, "of_no_meaning", .providerRejected),
            (400, "device_ineligible", .deviceIneligible), (401, "invalid_request", .providerUnauthorized),
            (429, "of_no_meaning", .providerRateLimited), (500, "already_provisioned", .providerUnavailable),
            (504, "device_ineligible", .providerTimeout),
        ] as [(Int, String, ProblemCode)])
    func e04EveryCodeHasItsMeaning(_ status: Int, _ word: String, _ code: ProblemCode) async throws {
        let error = try await failure(of: .answer(status, #"{"error":{"code":"\#(word)","message":"Words."}}"#))
        #expect(error.code == code)
        #expect(error.outcome == (code == .alreadyProvisioned ? .applied : status < 500 ? .refused : .unknown))
        #expect(error.upstream == UpstreamReport(status: status, code: word))
        #expect(error.detail?.contains("Words.") != true)
    }

    /// E04: the other three shapes. A `type` is a word, the framework's `error` is none.
    @Test(
        arguments: [
            (400, #"{"error":{"type":"INVALID_REQUEST_ERROR","message":"Words."}}"#, .providerRejected),
            (400, #"{"error":{"type":"INVALID_REQUEST_ERROR","message":"W","param":"nonce"}}"#, .handshakeRejected),
            (400, #"{"error":{"type":"INVALID_REQUEST_ERROR","param":"payment_method_id"}}"#, .providerRejected),
            (401, #"{"error":{"type":"AUTHENTICATION_ERROR","message":"W"}}"#, .providerUnauthorized),
            (404, #"{"error":{"type":"INVALID_REQUEST_ERROR","message":"W"}}"#, .providerCardNotFound),
            (404, #"{"type":"PAYMENT_METHOD_NOT_FOUND","message":"W","param":"id"}"#, .providerCardNotFound),
            (400, #"{"type":"INVALID_REQUEST_ERROR","message":"W","param":"certificates"}"#, .handshakeRejected),
            (409, #"{"type":"CONFLICT","message":"W"}"#, .providerRejected),
            (400, #"{"path":"/v2","details":["W"],"error":"Bad Request","status":400}"#, .providerRejected),
            (404, #"{"path":"/v2","details":[],"error":"Not Found","status":404}"#, .providerRejected),
            (500, #"{"path":"/v2","details":[],"error":"Internal Server Error","status":500}"#, .providerUnavailable),
            (404, #"{"type":"https://passgate.example/errors/x","title":"W"}"#, .providerRejected),
            (404, #"{"type":"about:blank","status":404}"#, .providerRejected),
            (400, #"{"error":7}"#, .providerRejected), (400, #"{"error":null,"type":null}"#, .providerRejected),
            (400, #"{"error":[{"code":"invalid_request"}]}"#, .providerRejected), (422, "[]", .providerRejected),
            (400, #"{"error":{"code":7,"type":"INVALID_REQUEST_ERROR","param":"nonce"}}"#, .handshakeRejected),
            (409, #"{"error":{"code":"already_provisioned","type":"OTHER"}}"#, .alreadyProvisioned),
        ] as [(Int, String, ProblemCode)])
    func e04EveryShapeIsRead(_ status: Int, _ body: String, _ code: ProblemCode) async throws {
        #expect(try await failure(of: .answer(status, body)).code == code)
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

    /// E06: a failure inside a 2xx is one, and its word is kept. A payment method's own type is no failure's.
    @Test(
        arguments: [
            (#"{"status":"FAILED","reason":"no_such_luck"}"#, "no_such_luck"),
            (#"{"error":{"code":"already_provisioned","message":"W"}}"#, "already_provisioned"),
            (#"{"error":{"type":"INVALID_REQUEST_ERROR"}}"#, "INVALID_REQUEST_ERROR"), (#"{"type":"CARD"}"#, nil),
            (#"{"status":"FAILED","reason":"Sentences are no codes."}"#, nil),
        ] as [(String, String?)])
    func e06AFailureInsideASuccessKeepsItsReason(_ body: String, _ code: String?) async throws {
        let error = try await failure(of: .answer(200, body))
        #expect(error.code == .providerContractViolation)
        #expect(error.upstream == UpstreamReport(status: 200, code: code))
    }

    /// E09: what the transport throws and what upstream answers meet the same rules.
    @Test(
        arguments: [
            (.notSent(.unreachable), .providerUnavailable, .notSent), (.notSent(.tls), .providerUnavailable, .notSent),
            (.notSent(.deadline), .providerTimeout, .notSent), (.outcomeUnknown(.broken), .providerTimeout, .unknown),
        ] as [(TransportFailure, ProblemCode, ProvisioningOutcome)])
    func e09ATransportFailureHasACodeToo(
        _ cause: TransportFailure, _ code: ProblemCode, _ outcome: ProvisioningOutcome
    ) async throws {
        let provider = try ImprintHarness.provider(ScriptedTransport(answers: [.failure(cause)]))
        let request = try ImprintHarness.request(.applePay)
        await #expect(throws: ProvisioningError(code, outcome: outcome)) { try await provider.provision(request) }
    }

    /// H15, H16: a 504 is an unknown outcome, whatever stands in it: look at the wallet first.
    @Test(arguments: ["", "<h1>Gateway Timeout</h1>", #"{"error":{"code":"invalid_request"}}"#])
    func h15h16A504LeavesTheOutcomeOpen(_ body: String) async throws {
        let error = try await failure(of: .answer(504, body))
        #expect(error.code == .providerTimeout)
        #expect(error.outcome == .unknown)
        #expect(error.code.retry(in: .sentSingleUse) == .checkWalletFirst)
        #expect(error.code.retry(in: .sentRepeatable) == .sameRequest)
    }

    /// H16: a stale nonce is `invalid_request`, and needs a fresh handshake.
    @Test func h16AStaleNonceNeedsAFreshHandshake() async throws {
        let body = #"{"error":{"code":"invalid_request","message":"The nonce is stale."}}"#
        let error = try await failure(of: .answer(400, body))
        #expect(error.code == .handshakeRejected)
        #expect(error.code.retry(in: .sentSingleUse) == .freshHandshake)
    }

    /// H17: a failure of the processor's never allows the same nonce again.
    @Test(arguments: [500, 502, 503])
    func h17AFailureOnApplePayNeedsAFreshHandshake(_ status: Int) async throws {
        let error = try await failure(of: .answer(status, #"{"error":{"code":"PAYMENT_BRIDGE_ERROR"}}"#))
        #expect(error.code == .providerUnavailable)
        #expect(error.code.retry(in: .sentSingleUse) == .freshHandshake)
        #expect(error.code.retry(in: .sentRepeatable) == .afterDelay)
    }

    /// E12: what is not known is not tried again for its own sake.
    @Test func e12AnUnknownRefusalIsForGoodAndAnUnknownFailureNeedsAFreshHandshake() async throws {
        let refusal = try await failure(of: .answer(418, #"{"error":{"code":"teapot"}}"#))
        #expect(refusal.code.retry(in: .sentSingleUse) == .never)
        let failure = try await failure(of: .answer(599, #"{"error":{"code":"teapot"}}"#))
        #expect(failure.code.retry(in: .sentSingleUse) == .freshHandshake)
    }

    /// E13: `already_provisioned` is as good as success, for both wallets; a body that imitates ours is not believed.
    @Test func e13AlreadyProvisionedIsAsGoodAsSuccess() async throws {
        for wallet in [Wallet.applePay, .googlePay] {
            let error = try await failure(
                of: .answer(409, #"{"error":{"code":"already_provisioned","message":"W"}}"#), wallet)
            #expect(error.code == .alreadyProvisioned)
            #expect(error.outcome == .applied)
            #expect(error.code.retry(in: .sentSingleUse) == .treatAsSuccess)
        }
        let imitation = #"{"type":"https://host.example/already_provisioned","code":"already_provisioned"}"#
        #expect(try await failure(of: .answer(409, imitation)).code == .providerRejected)
    }

    /// E14: a payment method of another program is answered like one that does not exist, and is told so.
    @Test func e14AForeignPaymentMethodLooksUnknown() async throws {
        let read = try await eligibilityFailure(
            of: .answer(404, #"{"type":"INVALID_REQUEST_ERROR","message":"W","param":"payment_method_id"}"#))
        let call = try await failure(of: .answer(404, #"{"error":{"code":"payment_method_not_found","message":"W"}}"#))
        for error in [read, call] {
            #expect(error?.code == .providerCardNotFound)
            #expect(error?.outcome == .refused)
        }
    }

    @Test func theWaitIsReadFromTheHeader() async throws {
        let limited = UpstreamResponse.answer(429, "", headers: [("retry-after", "3")])
        #expect(try await failure(of: limited).retryAfter == .seconds(3))
        #expect(try await failure(of: .answer(429, "")).retryAfter == nil)
    }
}
