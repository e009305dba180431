import ProviderTesting
import Provisioning
import SecretMemory
import Testing

@testable import ProviderKit

@Suite("How an exchange is normalized")
struct UpstreamTests {
    private static let table = UpstreamFailureTable(
        rows: [
            .init(200, "declined", .cardIneligible, reason: "declined"), .init(200, "present", .alreadyProvisioned),
            .init(402, nil, .providerRejected), .init(404, nil, .providerCardNotFound),
            .init(400, "rate_limit", .providerRateLimited), .init(409, "present", .alreadyProvisioned),
            .init(422, "no_device", .deviceIneligible, reason: "watch_only"), .init(409, nil, .providerUnavailable),
        ], requestIDHeaders: ["acme-id", "x-request-id"], adviceHeader: "acme-should-retry"
    ) { body, _ in
        let words = [body["code"]?.string, body["type"]?.string].compactMap(\.self)
        return UpstreamFault(code: words.first, words: words)
    }

    private func send(_ result: Result<UpstreamResponse, TransportFailure>) async -> Result<
        UpstreamAnswer, ProvisioningError
    > {
        let upstream = Upstream(.testing(ScriptedTransport(answers: [result])), failures: Self.table)
        do throws(ProvisioningError) {
            return .success(
                try await upstream.send(UpstreamRequest(.get, "https://acme.example", deadline: .now + .seconds(5))))
        } catch {
            return .failure(error)
        }
    }

    private func failure(_ status: Int, _ body: String, headers: [(name: String, value: String)] = []) async throws
        -> ProvisioningError
    {
        guard case .failure(let error) = await send(.success(.answer(status, body, headers: headers))) else {
            throw CryptographyFailure("no failure")
        }
        return error
    }

    @Test(
        arguments: [
            // A session, a nonce, the key, the key behind another scheme; whole or within a longer word.
            ("session-CANARY-0123", nil), ("AAsession-CANARY-0123ZZ", nil), ("AQIDBAUG", nil), ("quietsecret", nil),
            ("key_invented_0123456789", nil), ("x.key_invented_0123456789", nil), ("invented-password-42", nil),
            // The processor's own words, though they are made of what was sent, and a row of its table.
            ("google_pay_in_app_disabled", "google_pay_in_app_disabled"), ("bad_nonce", "bad_nonce"),
            ("present", "present"), ("E1001", "E1001"), ("4ab", "4ab"),
            ("prov_0123456789abcdef", "prov_0123456789abcdef"),
        ] as [(String, String?)])
    func whatTheAnswerRepeatsOfTheRequestIsNotTold(_ word: String, _ told: String?) async throws {
        let body = """
            {"google_pay_in_app":{"session":"session-CANARY-0123","nonce":"AQIDBAUG"},"key":"quietsecret","a":"present"}
            """
        let request = UpstreamRequest(
            .post, "https://acme.example",
            headers: [
                .bearer(SecretText("key_invented_0123456789")),
                .basic(user: SecretText("user"), password: SecretText("invented-password-42")),
                .init("Idempotency-Key", "prov_0123456789abcdef"),
            ], body: SecretBytes(utf8: body), deadline: .now + .seconds(5))
        let answer = UpstreamResponse.answer(
            418, #"{"code":"\#(word)"}"#, headers: [(name: "acme-id", value: word)])
        let upstream = Upstream(.testing(ScriptedTransport(answers: [.success(answer)])), failures: Self.table)
        var report: UpstreamReport?
        do throws(ProvisioningError) { _ = try await upstream.send(request) } catch { report = error.upstream }
        #expect(report?.code == told)
        if word != "present" { #expect(report?.requestID == told) }
    }

    @Test(
        arguments: [
            (.notSent(.unresolved), .providerUnavailable, .notSent),
            (.notSent(.unreachable), .providerUnavailable, .notSent),
            (.notSent(.tls), .providerUnavailable, .notSent), (.notSent(.broken), .providerUnavailable, .notSent),
            (.notSent(.deadline), .providerTimeout, .notSent), (.notSent(.cancelled), .providerUnavailable, .notSent),
            (.notSent(.invalidRequest), .internalError, .notSent),
            (.outcomeUnknown(.broken), .providerTimeout, .unknown),
            (.outcomeUnknown(.deadline), .providerTimeout, .unknown),
            (.outcomeUnknown(.garbled), .providerTimeout, .unknown),
            (.outcomeUnknown(.cancelled), .providerTimeout, .unknown),
            (.outcomeUnknown(.tls), .providerTimeout, .unknown),
        ] as [(TransportFailure, ProblemCode, ProvisioningOutcome)])
    func anExchangeWithoutAnAnswerSaysWhetherItWasSent(
        _ cause: TransportFailure, _ code: ProblemCode, _ outcome: ProvisioningOutcome
    ) async {
        guard case .failure(let error) = await send(.failure(cause)) else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == code)
        #expect(error.outcome == outcome)
        #expect(error.upstream == nil)
    }

    @Test(
        arguments: [
            (301, "", .providerRejected, .refused), (400, "{}", .providerRejected, .refused),
            (400, #"{"code":"other","type":"rate_limit"}"#, .providerRateLimited, .refused),
            (401, #"{"code":"present"}"#, .providerUnauthorized, .refused), (402, "{}", .providerRejected, .refused),
            (403, "[]", .providerUnauthorized, .refused), (404, "<p>", .providerCardNotFound, .refused),
            (409, #"{"code":"present"}"#, .alreadyProvisioned, .applied), (409, "{}", .providerUnavailable, .refused),
            (418, #"{"code":"no_device"}"#, .deviceIneligible, .refused), (418, "7", .providerRejected, .refused),
            (429, #"{"code":"no_device"}"#, .providerRateLimited, .refused), (500, "", .providerUnavailable, .unknown),
            (500, #"{"code":"no_device"}"#, .providerUnavailable, .unknown), (504, "{}", .providerTimeout, .unknown),
            (599, "\u{0}", .providerUnavailable, .unknown), (199, "{}", .providerContractViolation, .unknown),
            (600, "{}", .providerContractViolation, .unknown), (200, "", .providerContractViolation, .unknown),
            (200, "[]", .providerContractViolation, .unknown), (204, "", .providerContractViolation, .unknown),
            (200, #"{"code":"declined"}"#, .cardIneligible, .refused),
            (202, #"{"type":"present"}"#, .alreadyProvisioned, .applied),
        ] as [(Int, String, ProblemCode, ProvisioningOutcome)])
    func theTableIsTotal(_ status: Int, _ body: String, _ code: ProblemCode, _ outcome: ProvisioningOutcome)
        async throws
    {
        let error = try await failure(status, body)
        #expect(error.code == code)
        #expect(error.outcome == outcome)
        #expect(error.upstream?.status == status)
    }

    @Test func everyStatusMeansSomething() {
        for status in 100...999 where !(200...299).contains(status) {
            let code = Self.table.meaning(of: status, UpstreamFault()).code
            #expect(code.entry.retry[status < 500 ? .sentRepeatable : .sentSingleUse] != nil)
        }
    }

    @Test func aReasonTravelsWithItsRow() async throws {
        #expect(try await failure(422, #"{"code":"no_device"}"#).reason == "watch_only")
    }

    @Test func aBodyThatWasTooLargeCountsForItsStatusAlone() async {
        guard case .failure(let error) = await send(.success(.oversize(409))) else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .providerUnavailable)
        guard case .failure(let violation) = await send(.success(.oversize(200))) else {
            Issue.record("no failure")
            return
        }
        #expect(violation.code == .providerContractViolation)
    }

    @Test func theFirstRequestIDIsReported() async throws {
        let error = try await failure(500, "", headers: [("x-request-id", "second"), ("acme-id", "first")])
        #expect(error.upstream?.requestID == "first")
    }

    @Test(
        arguments: [
            ("0", Duration.zero), ("7", .seconds(7)), ("1.5", .milliseconds(1500)),
            ("99999999999999999999", .seconds(3600)),
            ("-1", nil), ("soon", nil), ("", nil), ("1e9", nil), ("Mon, 30 Nov 2026 12:00:30 GMT", .seconds(30)),
            ("Monday, 30-Nov-26 12:00:30 GMT", .seconds(30)), ("Mon Nov 30 12:00:30 2026", .seconds(30)),
            ("Mon, 30 Nov 2026 11:00:00 GMT", .zero), ("Mon, 30 Nov 2031 11:00:00 GMT", .seconds(3600)),
            ("Mon, 30 Foo 2026 11:00:00 GMT", nil), ("Mon, 30 Nov 2026 25:00:00 GMT", nil),
        ] as [(String, Duration?)])
    func aWaitIsReadInEveryForm(_ text: String, _ wait: Duration?) async throws {
        #expect(try await failure(503, "", headers: [("retry-after", text)]).retryAfter == wait)
    }

    @Test(
        arguments: [
            ("250", nil, .milliseconds(250)), ("0", "9", .zero), ("1500", "9", .milliseconds(1500)),
            ("99999999", nil, .seconds(3600)), ("soon", "9", .seconds(9)), ("-5", "9", .seconds(9)), ("", nil, nil),
        ] as [(String, String?, Duration?)])
    func aWaitInMillisecondsComesFirst(_ milliseconds: String, _ seconds: String?, _ wait: Duration?) async throws {
        var headers = [(name: "retry-after-ms", value: milliseconds)]
        if let seconds { headers.append((name: "retry-after", value: seconds)) }
        #expect(try await failure(429, "", headers: headers).retryAfter == wait)
    }

    @Test(
        arguments: [
            ("true", true), ("TRUE", true), ("false", false), ("False", false), ("yes", nil), ("", nil), (nil, nil),
        ] as [(String?, Bool?)])
    func adviceOnARepeatIsReadFromItsHeader(_ text: String?, _ advice: Bool?) async throws {
        let headers = text.map { [(name: "acme-should-retry", value: $0)] } ?? []
        #expect(try await failure(409, "{}", headers: headers).retryAdvice == advice)
        #expect(try await failure(409, "{}", headers: [("x-other", "true")]).retryAdvice == nil)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ] as [(String, Int64)])
    func datesAreCounted(_ text: String, _ seconds: Int64) {
        #expect(HTTPDate.read(text) == Timestamp(seconds: seconds))
    }

    @Test func nothingThatIsSentOrReadIsShown() async throws {
        let request = UpstreamRequest.json(
            .post, "https://acme.example", headers: [.bearer(SecretText("sesame"))], deadline: .now
        ) { json in json.member("nonce", "open") }
        var shown = String(reflecting: request)
        dump(request, to: &shown)
        guard case .success(let answer) = await send(.success(.answer(200, #"{"pass":"treasure"}"#))) else {
            Issue.record("no success")
            return
        }
        shown += String(reflecting: answer)
        dump(answer, to: &shown)
        for secret in ["sesame", "open\"", "treasure"] { #expect(!shown.contains(secret)) }
        #expect(request.headers.first?.value.reveal() == "Bearer sesame")
    }
}
