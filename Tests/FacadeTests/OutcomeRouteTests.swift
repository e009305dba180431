import Facade
import HTTPServer
import ProviderKit
import Provisioning
import Testing

@Suite struct OutcomeRouteTests {
    private static let body =
        #"{"wallet": "google_pay", "google_pay": {"wallet_id": "canary-wallet", "device_id": "canary-device"}}"#

    /// An attempt whose answer was written, or ended as `delivery` says.
    private func attempt(_ fixture: FacadeFixture, delivery: HTTPResponse.Delivery = .written) async -> String {
        _ = await fixture.makeCard("c1")
        let answer = await fixture.send(
            "POST", "/v1/cards/c1/provisionings", body: Self.body, delivery: delivery)
        return answer.json?[answer.status == 201 ? "id" : "provisioning"]?.string ?? ""
    }

    private func steps(_ id: String, _ fixture: FacadeFixture) async -> [String?] {
        let timeline = await fixture.send("GET", "/v1/provisionings/\(id)/timeline")
        return timeline.json?["data"]?.elements?.map { $0["step"]?.string } ?? []
    }

    @Test(arguments: ["added", "cancelled", "failed"])
    func aReportMovesAnAttemptThatWasHandedOff(_ result: String) async throws {
        try await FacadeFixture.run { fixture in
            let id = await attempt(fixture)
            let answer = await fixture.send(
                "POST", "/v1/provisionings/\(id)/outcome", body: #"{"result":"\#(result)"}"#)
            #expect(answer.status == 202)
            #expect(answer.json?["id"]?.string == id && answer.json?["status"]?.string == result)
            #expect(
                answer.text.contains(
                    #""settlement":{"by":"device","at":"2026-01-31T10:20:30.456Z","ambiguous":false}"#))
            let read = await fixture.send("GET", "/v1/provisionings/\(id)")
            #expect(read.text == answer.text)
        }
    }

    @Test func aReportThatIsNotAllowedIsTakenAndKept() async throws {
        try await FacadeFixture.run { fixture in
            fixture.provider.fail(with: ProvisioningError(.cardIneligible, outcome: .refused, reason: "blocked"))
            let id = await attempt(fixture)
            let answer = await fixture.send("POST", "/v1/provisionings/\(id)/outcome", body: #"{"result":"added"}"#)
            #expect(answer.status == 202 && answer.json?["status"]?.string == "refused")
            #expect(answer.json?["settlement"] == nil)
            #expect(await steps(id, fixture).suffix(2) == ["refused", "added"])
        }
    }

    @Test func theTimelineTellsTheStepsWithTheirTimesAndCodes() async throws {
        try await FacadeFixture.run { fixture in
            fixture.provider.fail(
                with: ProvisioningError(
                    .providerRejected, outcome: .refused,
                    upstream: UpstreamReport(status: 422, code: "card_blocked", requestID: "up_1")))
            let id = await attempt(fixture)
            let timeline = await fixture.send("GET", "/v1/provisionings/\(id)/timeline")
            #expect(timeline.status == 200)
            let at = #""at":"2026-01-31T10:20:30.456Z""#
            let expected = [
                ("received", "gateway", "null", "null"), ("checked", "gateway", "null", "null"),
                ("reserved", "gateway", "null", "null"), ("sent", "gateway", "null", #""To main.""#),
                ("answered", "provider", #""card_blocked""#, #""With the HTTP status 422.""#),
                ("refused", "gateway", #""provider_rejected""#, "null"),
            ].map { step, source, code, detail in
                #"{\#(at),"step":"\#(step)","source":"\#(source)","code":\#(code),"detail":\#(detail)}"#
            }
            #expect(
                timeline.text == #"{"object":"list","data":[\#(expected.joined(separator: ","))],"next_cursor":null}"#)
        }
    }

    @Test func ofAnErrorOnlyPlainWordsAndNumbersAreKept() async throws {
        try await FacadeFixture.run { fixture in
            let id = await attempt(fixture, delivery: .failed)
            let reports =
                [
                    (
                        #"{"domain":"PKPassKitErrorDomain","code":1,"message":"canary message"}"#, "1",
                        "PKPassKitErrorDomain"
                    ),
                    (#"{"domain":"canary domain","code":"TAP_AND_PAY.15009"}"#, "TAP_AND_PAY.15009", nil),
                    (#"{"code":-7.0,"message":"canary\nmessage"}"#, "-7", nil),
                    (#"{"code":"canary code","domain":null}"#, nil, nil),
                    (#"{"code":4242424242424242,"domain":"4242-4242-4242-4242"}"#, nil, nil),
                ] as [(String, String?, String?)]
            for (error, code, domain) in reports {
                let body = #"{"result":"failed","error":\#(error)}"#
                let answer = await fixture.send("POST", "/v1/provisionings/\(id)/outcome", body: body)
                #expect(answer.status == 202 && answer.json?["status"]?.string == "failed", "\(error)")
                let timeline = await fixture.send("GET", "/v1/provisionings/\(id)/timeline")
                let step = timeline.json?["data"]?.elements?.last { $0["source"]?.string == "device" }
                #expect(step?["step"]?.string == "failed")
                #expect(step?["code"]?.string == code)
                #expect((step?["detail"]?.string ?? "").contains("The code is one of") == (domain != nil))
                #expect(!timeline.text.contains("canary") && !timeline.text.contains("4242"))
            }
            #expect(!fixture.log.map(\.json).joined().contains("canary"))
        }
    }

    @Test(
        arguments: [
            ("{}", ["/result"]), (#"{"result":"gone"}"#, ["/result"]), (#"{"result":1}"#, ["/result"]),
            (#"{"result":"added","status":"x"}"#, ["/status"]), (#"{"result":"failed","error":7}"#, ["/error"]),
            (
                #"{"result":"failed","error":{"code":[],"domain":1,"message":2,"text":3}}"#,
                ["/error/text", "/error/message", "/error/code", "/error/domain"]
            ),
            (#"{"result":"failed","error":{"code":1.5}}"#, ["/error/code"]),
            (#"{"result":"failed","error":{"code":9007199254740993}}"#, ["/error/code"]),
            (#"{"result":"failed","error":{"code":-9223372036854775809}}"#, ["/error/code"]),
        ] as [(String, [String])])
    func aBodyOfAnotherFormIsRefused(_ body: String, _ pointers: [String]) async throws {
        try await FacadeFixture.run { fixture in
            let id = await attempt(fixture)
            let answer = await fixture.send("POST", "/v1/provisionings/\(id)/outcome", body: body)
            #expect(answer.status == 400 && answer.code == "invalid_request")
            #expect(Set(answer.pointers) == Set(pointers))
            #expect(answer.json?["outcome"]?.isNull == true)
            #expect(await steps(id, fixture).last == "handed_off")
        }
    }

    @Test func anothersAttemptIsLikeNone() async throws {
        try await FacadeFixture.run { fixture in
            let id = await attempt(fixture)
            let travel = [(name: "passgate-program", value: "travel")]
            var texts: Set<String> = []
            for id in [id, "prov_none", "no*id"] {
                let report = await fixture.send(
                    "POST", "/v1/provisionings/\(id)/outcome", key: FacadeFixture.bothPrograms, headers: travel,
                    body: #"{"result":"added"}"#)
                let timeline = await fixture.send(
                    "GET", "/v1/provisionings/\(id)/timeline", key: FacadeFixture.bothPrograms, headers: travel)
                for answer in [report, timeline] {
                    #expect(answer.status == 404 && answer.code == "provisioning_not_found")
                    let requestID = answer.header("Request-Id") ?? ""
                    texts.insert(answer.text.replacing(requestID, with: ""))
                }
            }
            #expect(texts.count == 1)
            #expect(await fixture.send("GET", "/v1/provisionings/\(id)").json?["status"]?.string == "handed_off")
            let query = await fixture.send("GET", "/v1/provisionings/\(id)/timeline?limit=1")
            #expect(query.status == 400)
        }
    }

    @Test func aKeyNotesAReportOnce() async throws {
        try await FacadeFixture.run { fixture in
            let id = await attempt(fixture)
            let path = "/v1/provisionings/\(id)/outcome"
            let key = [(name: "idempotency-key", value: "k1")]
            let first = await fixture.send("POST", path, headers: key, body: #"{"result":"added"}"#)
            let again = await fixture.send("POST", path, headers: key, body: #"{ "result" : "added" }"#)
            #expect(first.status == 202 && again.status == 202 && again.text == first.text)
            #expect(await steps(id, fixture).count { $0 == "added" } == 1)
            let other = await fixture.send("POST", path, headers: key, body: #"{"result":"failed"}"#)
            #expect(other.status == 422 && other.code == "idempotency_key_reused")
            let missing = await fixture.send(
                "POST", "/v1/provisionings/prov_x/outcome", headers: key, body: #"{"result":"added"}"#)
            #expect(missing.status == 404, "the same key on another path is another key")
        }
    }
}
