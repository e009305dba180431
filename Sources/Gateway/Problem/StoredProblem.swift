import FoundationEssentials
import Provisioning
import Storage

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
                connection.map { connection in
                    ProviderReport(
                        id: id, connection: connection,
                        upstream: report == UpstreamReport(status: nil) ? nil : report)
                }
            })
    }

    /// The problem as text.
    static func encode(_ problem: Problem) throws(StoreFailure) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(StoredProblem(problem)), as: UTF8.self)
        } catch {
            throw .broken("A problem cannot be written as JSON.")
        }
    }

    /// The problem that a text holds.
    ///
    /// - Throws: `broken` where it holds none, or one that this version does not know: to guess what had happened could
    ///   tell a caller to do again what must not be done twice.
    static func decode(_ text: String) throws(StoreFailure) -> Problem {
        let stored = try? JSONDecoder().decode(StoredProblem.self, from: Data(text.utf8))
        guard let problem = stored?.problem else {
            throw .broken("What is kept under an idempotency key is no problem that this version knows.")
        }
        return problem
    }
}
