/// Why a call has no answer of its own. Printing it shows no secret.
public enum PassgateError: Error, Sendable, CustomStringConvertible {
    /// The gateway says no: `retry` says what to do next.
    case problem(PassgateProblem)
    /// The executor brought no answer. The gateway may or may not have acted; the error is the executor's.
    case noAnswer(any Error)
    /// What came is not the gateway's, or is not what this build can read: a proxy's page, most likely.
    case unreadable(status: Int, requestID: String?)
    /// The request cannot be made: an id that no path can hold, or a body that JSON cannot.
    case notSendable(String)

    /// The problem, where the gateway told one.
    public var problem: PassgateProblem? { if case .problem(let problem) = self { problem } else { nil } }

    /// What to do next, where the gateway said so.
    public var retry: RetryClass? { problem?.retry }

    /// In one line, for a log.
    public var description: String {
        switch self {
        case .problem(let problem):
            "\(problem.status) \(problem.code), retry \(problem.retry): \(problem.detail) [\(problem.requestID)]"
        case .noAnswer(let error): "no answer from the gateway (\(type(of: error)))"
        case .unreadable(let status, let requestID): "an answer that cannot be read, \(status) [\(requestID ?? "-")]"
        case .notSendable(let why): "not sent: \(why)"
        }
    }
}
