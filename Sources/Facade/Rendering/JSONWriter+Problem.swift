import Gateway
import ProviderKit
import Provisioning

extension JSONWriter {
    /// Writes a problem envelope (RFC 9457).
    ///
    /// - Parameters:
    ///   - publicURL: What `type` begins with, without a slash at its end.
    ///   - outcome: The outcome to tell; the problem's own counts in provisioning only.
    mutating func problem(
        _ problem: Problem, publicURL: String, requestID: String, outcome: ProvisioningOutcome?
    ) {
        let entry = problem.code.entry
        object { json in
            json.member("type", "\(publicURL)/errors/\(problem.code.rawValue)")
            json.member("title", entry.title)
            json.member("status", entry.status)
            json.member("detail", Self.detail(of: problem))
            json.member("code", problem.code.rawValue)
            json.member("retry", problem.retry.rawValue)
            json.member("retry_after", problem.retryAfter)
            json.member("outcome", outcome?.rawValue)
            json.member("user_message_key", problem.code.userMessageKey)
            json.member("request_id", requestID)
            if let reason = problem.reason { json.member("reason", reason) }
            if let provisioning = problem.provisioning { json.member("provisioning", provisioning) }
            if !problem.errors.isEmpty {
                json.member(
                    "errors", array: { json in for error in problem.errors { json.memberProblem(error) } })
            }
            if let provider = problem.provider { json.member("provider", object: { json in json.report(provider) }) }
        }
    }

    private mutating func memberProblem(_ problem: MemberProblem) {
        object { json in
            json.member("pointer", problem.pointer)
            json.member("code", problem.code)
            json.member("detail", problem.detail)
        }
    }

    private mutating func report(_ provider: ProviderReport) {
        member("id", provider.id)
        member("connection", provider.connection)
        member("status", provider.upstream?.status)
        member("code", provider.upstream?.code)
        member("request_id", provider.upstream?.requestID)
    }

    /// A whole sentence, even where the problem has only what is said of its member.
    private static func detail(of problem: Problem) -> String {
        guard let first = problem.errors.first else { return problem.detail ?? problem.code.entry.meaning }
        if let detail = problem.detail, detail != first.detail { return detail }
        if problem.errors.count > 1 {
            return "\(problem.errors.count) members of the request are not as they should be; see `errors`."
        }
        if first.detail.first?.isUppercase ?? true { return first.detail }
        let sentence = "\(first.pointer.isEmpty ? "The request" : first.pointer) \(first.detail)"
        return sentence.hasSuffix("?") ? sentence : sentence + "."
    }
}
