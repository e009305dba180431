import FoundationEssentials
import Provisioning

/// A problem as it is kept under an idempotency key, to be given again word for word.
struct StoredProblem: Codable {
    private struct Member: Codable {
        var pointer: String
        var code: String
        var detail: String
    }

    private var code: String
    private var detail: String?
    private var errors: [Member]
    private var situation: String
    private var outcome: String?
    private var reason: String?
    private var retryAfter: Int?
    private var provisioning: String?
    private var provider: String?
    private var connection: String?
    private var upstreamStatus: Int?
    private var upstreamCode: String?
    private var upstreamRequestID: String?

    private init(_ problem: Problem) {
        code = problem.code.rawValue
        detail = problem.detail
        errors = problem.errors.map { Member(pointer: $0.pointer, code: $0.code, detail: $0.detail) }
        situation = problem.situation.rawValue
        outcome = problem.outcome?.rawValue
        reason = problem.reason
        retryAfter = problem.retryAfter
        provisioning = problem.provisioning
        provider = problem.provider?.id
        connection = problem.provider?.connection
        upstreamStatus = problem.provider?.upstream?.status
        upstreamCode = problem.provider?.upstream?.code
        upstreamRequestID = problem.provider?.upstream?.requestID
    }

    private var problem: Problem? {
        guard let code = ProblemCode(rawValue: code), let situation = RetrySituation(rawValue: situation) else {
            return nil
        }
        let report = UpstreamReport(status: upstreamStatus, code: upstreamCode, requestID: upstreamRequestID)
        return Problem(
            code, detail: detail,
            errors: errors.map { MemberProblem(pointer: $0.pointer, code: $0.code, detail: $0.detail) },
            situation: situation, outcome: outcome.flatMap(ProvisioningOutcome.init), reason: reason,
            retryAfter: retryAfter, provisioning: provisioning,
            provider: provider.flatMap { id in
                connection.map { ProviderReport(id: id, connection: $0, upstream: report) }
            })
    }

    /// The problem as text.
    static func encode(_ problem: Problem) -> String {
        guard let data = try? JSONEncoder().encode(StoredProblem(problem)) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The problem that a text holds; nil where it holds none.
    static func decode(_ text: String) -> Problem? {
        (try? JSONDecoder().decode(StoredProblem.self, from: Data(text.utf8)))?.problem
    }
}
