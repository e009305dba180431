import Foundation
import Synchronization
import Testing

@testable import PassgateClient

/// What is sent again, when, and with what.
@Suite struct RetryTests {
    private typealias Step = ScriptedExecutor.Step

    /// A clock that only sleeping moves.
    private final class Time: Sendable {
        private let start = ContinuousClock.now
        private let slept = Mutex<[Duration]>([])

        var naps: [Duration] { slept.withLock { $0 } }
        var now: ContinuousClock.Instant { start + naps.reduce(.zero, +) }
        func sleep(_ time: Duration) { slept.withLock { $0.append(time) } }
    }

    private func client(_ executor: ScriptedExecutor, _ time: Time, policy: RetryPolicy = RetryPolicy()) -> Passgate {
        let counter = Mutex(0)
        return Passgate(
            url: "https://gate.example/", apiKey: "pgk_CANARY", program: "rides", retryPolicy: policy,
            deadline: Passgate.standardDeadline, executor: executor,
            pace: Pace(
                now: { time.now }, sleep: { time.sleep($0) }, jitter: { 0 },
                makeKey: {
                    counter.withLock {
                        $0 += 1; return "key-\($0)"
                    }
                }))
    }

    private static func problem(_ code: String, _ retry: String, after: Int? = nil, status: Int = 503) -> Step {
        .answer(
            status: status,
            body: #"{"type":"t","title":"T","status":\#(status),"detail":"d","code":"\#(code)","retry":"\#(retry)","#
                + #""retry_after":\#(after.map(String.init) ?? "null"),"outcome":null,"request_id":"req_1"}"#)
    }

    private static let record = #"""
        {"object":"provisioning","id":"prov_1","card":"c","program":"rides","provider":"increase","connection":"i",
        "wallet":"apple_pay","channel":"in_app","origin":"app","status":"handed_off",
        "created_at":"2026-11-30T12:00:00.000Z","expires_at":null,"repairs":[],"warnings":[],
        "handoff":{"type":"apple_pay_pass", "activation_data":"AA=="}}
        """#
    private static let made = Step.answer(status: 201, body: record)

    private func provision(_ client: Passgate, _ options: CallOptions = .standard) async throws(PassgateError)
        -> Provisioned
    {
        try await client.provision(
            "c", .applePay(nil, accept: [.applePayPass]), for: CardholderProof(id: "u"), options)
    }

    @Test func aRepeatKeepsItsKeyAndBody() async throws {
        let (executor, time) = (
            ScriptedExecutor([
                Self.problem("provider_timeout", "same_request", status: 504),
                Self.problem("provider_unavailable", "after_delay", after: 2), Self.made,
            ]), Time()
        )
        let made = try await provision(client(executor, time))
        #expect(made.record.status == .handedOff && made.handoff.type == .applePayPass)
        #expect(made.handoff.json == Data(#"{"type":"apple_pay_pass", "activation_data":"AA=="}"#.utf8))
        #expect(time.naps == [.milliseconds(200), .seconds(2)])
        #expect(executor.calls.map { $0.header("Idempotency-Key") } == ["key-1", "key-1", "key-1"])
        #expect(Set(executor.calls.map(\.body)).count == 1)
        #expect(executor.calls.map { $0.header("Passgate-Deadline") } == ["19750", "19550", "17550"])
        #expect(executor.calls.map(\.timeout) == [.seconds(20), .milliseconds(19_800), .milliseconds(17_800)])
    }

    @Test(arguments: [
        "fix_request", "fresh_handshake", "check_wallet_first", "treat_as_success", "never", "a_class_of_tomorrow",
    ])
    func theOthersAreTheCallers(_ retry: String) async throws {
        let executor = ScriptedExecutor([Self.problem("provider_timeout", retry, status: 504), Self.made])
        do throws(PassgateError) {
            _ = try await provision(client(executor, Time()))
            Issue.record("it was sent again")
        } catch {
            #expect(error.retry == RetryClass(rawValue: retry) && error.problem?.code == .providerTimeout)
        }
        #expect(executor.calls.count == 1)
    }

    @Test func whatAsksForTooMuchTimeIsTold() async throws {
        for (after, deadline) in [(6, 20), (3, 3)] {
            let executor = ScriptedExecutor([Self.problem("overloaded", "after_delay", after: after), Self.made])
            let options = CallOptions(deadline: .seconds(deadline))
            await #expect(throws: PassgateError.self) { _ = try await provision(client(executor, Time()), options) }
            #expect(executor.calls.count == 1)
        }
    }

    @Test func thereIsAnEndToIt() async throws {
        let executor = ScriptedExecutor(Array(repeating: Self.problem("overloaded", "after_delay", after: 0), count: 9))
        await #expect(throws: PassgateError.self) { _ = try await provision(client(executor, Time())) }
        #expect(executor.calls.count == 3)
        let once = ScriptedExecutor([Self.problem("overloaded", "after_delay", after: 0), Self.made])
        await #expect(throws: PassgateError.self) { _ = try await provision(client(once, Time(), policy: .none)) }
        #expect(once.calls.count == 1)
    }

    @Test func aLostAnswerIsAskedForAgainUnlessThatIsUnwanted() async throws {
        let steps = [Step.fail, .answer(status: 502, body: "<html>"), Self.made]
        let executor = ScriptedExecutor(steps)
        _ = try await provision(client(executor, Time()))
        #expect(Set(executor.calls.map { $0.header("Idempotency-Key") }) == ["key-1"])
        let still = ScriptedExecutor(steps)
        await #expect(throws: PassgateError.self) {
            _ = try await provision(client(still, Time(), policy: RetryPolicy(repeatsLostAnswers: false)))
        }
        #expect(still.calls.count == 1)
    }

    @Test(arguments: [(302, ""), (404, "<html>"), (400, #"{"code":"x"}"#), (201, "{}"), (201, "no JSON")])
    func whatIsNotTheGatewaysIsNotTakenForIts(_ status: Int, _ body: String) async throws {
        let executor = ScriptedExecutor([.answer(status: status, body: body), Self.made])
        do throws(PassgateError) {
            _ = try await provision(client(executor, Time()))
            Issue.record("it was taken")
        } catch {
            guard case .unreadable(status, "req_1") = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(executor.calls.count == 1)
    }

    @Test func everyCallSaysWhoAsksAndForWhat() async throws {
        let executor = ScriptedExecutor([Self.made])
        let client = client(executor, Time())
        _ = try await provision(
            client, CallOptions(program: "other", idempotencyKey: "mine", traceparent: "00-1-2-01"))
        let call = try #require(executor.calls.first)
        #expect(call.url == "https://gate.example/v1/cards/c/provisionings" && call.method == "POST")
        #expect(
            call.header("Authorization") == "Bearer pgk_CANARY" && call.header("Content-Type") == "application/json")
        #expect(call.header("Passgate-Program") == "other" && call.header("Idempotency-Key") == "mine")
        #expect(call.header("traceparent") == "00-1-2-01")
        for text in ["\(client)", "\(call)", String(reflecting: client)] { #expect(!text.contains("CANARY")) }
    }

    @Test func idsCannotLeaveTheirPlaceInThePath() async throws {
        for id in ["", ".", ".."] {
            let executor = ScriptedExecutor([])
            await #expect(throws: PassgateError.self) { _ = try await client(executor, Time()).card(id) }
            #expect(executor.calls.isEmpty)
        }
        let executor = ScriptedExecutor([])
        await #expect(throws: PassgateError.self) {
            _ = try await client(executor, Time(), policy: .none).cards(
                cardholder: "a&b=ü", page: PageRequest(limit: 5))
        }
        await #expect(throws: PassgateError.self) {
            _ = try await client(executor, Time(), policy: .none).card("a/../b?c#d")
        }
        #expect(
            executor.calls.map(\.url) == [
                "https://gate.example/v1/cards?cardholder=a%26b%3D%C3%BC&limit=5",
                "https://gate.example/v1/cards/a%2F..%2Fb%3Fc%23d",
            ])
    }
}
