import Foundation
public import PassgateContract

/// Calls a Passgate gateway from a platform's backend: a method for every route.
///
/// ```swift
/// let passgate = Passgate(url: "https://passgate.example", apiKey: key, executor: client)
/// let made = try await passgate.provision("card_1", wish, for: .init(id: "user_1", authenticatedBy: "passkey", at: .now))
/// reply(made.handoff.json)   // to the app, unread
/// ```
///
/// Every POST that takes an `Idempotency-Key` gets one, which its repeats keep. Failures are ``PassgateError``.
public struct Passgate: Sendable, Concealed {
    /// How long a call may take unless its options say.
    public static let standardDeadline = Duration.seconds(20)

    private let url: String
    private let apiKey: String
    private let program: String?
    private let retryPolicy: RetryPolicy
    private let deadline: Duration
    private let executor: any HTTPExecuting
    private let pace: Pace

    /// A client of one gateway with one API key.
    ///
    /// - Parameters:
    ///   - url: Where the facade answers, such as `https://passgate.example`; a path before `/v1` may stand in it.
    ///   - apiKey: `pgk_…`. Backends only: an app never holds one.
    ///   - program: For keys that have several programs.
    ///   - deadline: How long a call may take, repeats included.
    public init(
        url: String, apiKey: String, program: String? = nil, retryPolicy: RetryPolicy = RetryPolicy(),
        deadline: Duration = Passgate.standardDeadline, executor: any HTTPExecuting
    ) {
        self.init(
            url: url, apiKey: apiKey, program: program, retryPolicy: retryPolicy, deadline: deadline,
            executor: executor, pace: Pace())
    }

    init(
        url: String, apiKey: String, program: String?, retryPolicy: RetryPolicy, deadline: Duration,
        executor: any HTTPExecuting, pace: Pace
    ) {
        self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.apiKey = apiKey
        self.program = program
        self.retryPolicy = retryPolicy
        self.deadline = deadline
        self.executor = executor
        self.pace = pace
    }

    /// Sends a call and reads its answer.
    func send<Answer: Decodable>(_ call: Call, _ options: CallOptions) async throws(PassgateError) -> Answer {
        try Self.read(try await answer(to: call, options))
    }

    static func read<Answer: Decodable>(_ answer: HTTPAnswer) throws(PassgateError) -> Answer {
        do { return try JSONDecoder().decode(Answer.self, from: answer.body) } catch {
            throw .unreadable(status: answer.status, requestID: answer.header("request-id"))
        }
    }

    /// Sends a call, again where the policy says so.
    ///
    /// - Returns: An answer of the 2xx.
    func answer(to call: Call, _ options: CallOptions) async throws(PassgateError) -> HTTPAnswer {
        let end = pace.now() + (options.deadline ?? deadline)
        let policy = options.retryPolicy ?? retryPolicy
        let target = try call.target()
        let key = call.takesKey ? options.idempotencyKey ?? pace.makeKey() : nil
        var attempt = 1
        while true {
            let failure: PassgateError
            do throws(PassgateError) {
                return try await once(call, at: target, key: key, left: end - pace.now(), options)
            } catch {
                failure = error
            }
            let delay = policy.delay(after: failure, attempt: attempt, jitter: pace.jitter())
            guard let delay, pace.now() + delay < end else { throw failure }
            do { try await pace.sleep(delay) } catch { throw failure }
            attempt += 1
        }
    }

    private func once(
        _ call: Call, at target: String, key: String?, left: Duration, _ options: CallOptions
    ) async throws(PassgateError) -> HTTPAnswer {
        var headers: [(name: String, value: String)] = [
            ("Authorization", "Bearer \(apiKey)"), ("Accept", "application/json, application/problem+json"),
        ]
        func add(_ name: String, _ value: String?) { if let value { headers.append((name, value)) } }
        add("Content-Type", call.body.map { _ in call.mediaType })
        add("Idempotency-Key", key)
        add("Passgate-Program", options.program ?? program)
        // The gateway's answer needs a moment to come back.
        let gatewayTime = max(left - .milliseconds(250), left / 2)
        let (seconds, attoseconds) = gatewayTime.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        add("Passgate-Deadline", call.takesDeadline ? String(max(milliseconds, 1)) : nil)
        add("traceparent", options.traceparent)
        let request = HTTPCall(
            method: call.method.rawValue, url: url + target, headers: headers, body: call.body, timeout: left)
        let answer: HTTPAnswer
        do { answer = try await executor.execute(request) } catch { throw .noAnswer(error) }
        if (200...299).contains(answer.status) { return answer }
        guard let problem = try? JSONDecoder().decode(PassgateProblem.self, from: answer.body),
            problem.status == answer.status
        else { throw .unreadable(status: answer.status, requestID: answer.header("request-id")) }
        throw .problem(problem)
    }
}
