import FoundationEssentials
import Gateway
import ProviderKit
import Provisioning
import Testing

@testable import Facade

/// One file of golden envelopes for each code, in `Contracts/golden`. `UPDATE_GOLDEN=1` rewrites them.
@Suite struct EnvelopeTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Contracts/golden")

    @Test(arguments: ProblemCode.allCases)
    func isAsTheGoldenFileSays(code: ProblemCode) throws {
        let file = Self.folder.appending(path: "\(code.rawValue).json")
        let made = Self.envelopes(of: code)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(made.utf8).write(to: file)
        }
        #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == made)
    }

    @Test func thereIsNoGoldenFileTooMany() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(ProblemCode.allCases.map { "\($0.rawValue).json" }))
    }

    @Test("E16: every problem has a key for the cardholder's text", arguments: ProblemCode.allCases)
    func hasAUserMessageKey(code: ProblemCode) {
        let answer = Answer(
            Rendering.problem(Problem(code), publicURL: "https://x", requestID: "r", isProvisioning: false))
        #expect(answer.json?["user_message_key"]?.string == "passgate.\(code.rawValue)")
        #expect(answer.status == code.entry.status && answer.json?["status"]?.integer == code.entry.status)
    }

    @Test("I04: a key in use is told by its code, and when to come again")
    func tellsWhenToComeAgain() {
        let answer = Answer(
            Rendering.problem(
                Problem(.idempotencyKeyInUse, retryAfter: 7), publicURL: "https://x/", requestID: "r",
                isProvisioning: true))
        #expect(answer.status == 409 && answer.header("Retry-After") == "7")
        #expect(answer.json?["retry_after"]?.integer == 7 && answer.json?["retry"]?.string == "after_delay")
        #expect(answer.json?["type"]?.string == "https://x/errors/idempotency_key_in_use")
        #expect(answer.json?["outcome"]?.string == "not_sent")
    }

    /// The envelope for each situation that the code can have, one a line.
    private static func envelopes(of code: ProblemCode) -> String {
        let lines = RetrySituation.allCases.filter { code.entry.retry[$0] != nil }.map { situation in
            let answer = Answer(
                Rendering.problem(
                    problem(code, situation), publicURL: "https://passgate.example", requestID: "req_golden",
                    isProvisioning: situation != .notSent || code.entry.retry.count > 1))
            return "\"\(situation.rawValue)\": \(answer.text)"
        }
        return "{\n\(lines.joined(separator: ",\n"))\n}\n"
    }

    private static func problem(_ code: ProblemCode, _ situation: RetrySituation) -> Problem {
        var problem = Problem(code, situation: situation)
        if problem.retry == .afterDelay { problem.retryAfter = 1 }
        if code == .cardIneligible { problem.reason = "card_blocked" }
        if [.invalidRequest, .handshakeInvalid, .ambiguousEncoding].contains(code) {
            problem.errors = [
                MemberProblem(pointer: "/apple_pay/nonce", code: code.rawValue, detail: "is not of its form")
            ]
        }
        guard situation != .notSent else { return problem }
        problem.outcome = code == .alreadyProvisioned ? .applied : code.entry.status >= 500 ? .unknown : .refused
        problem.provisioning = "prov_golden"
        problem.provider = ProviderReport(
            id: "increase", connection: "increase_main",
            upstream: UpstreamReport(status: code.entry.status, code: "upstream_code", requestID: "upstream_request"))
        return problem
    }
}
