import Gateway
import Provisioning

/// Collects what is wrong with a request, so that a caller is told everything at once.
final class Findings {
    /// More findings help nobody.
    private static let limit = 32

    private(set) var problems: [MemberProblem] = []

    func add(_ pointer: String, _ code: String, _ detail: String) {
        guard problems.count < Self.limit else { return }
        problems.append(MemberProblem(pointer: pointer, code: code, detail: detail))
    }

    /// Throws everything that was found.
    func throwAny() throws(Problem) {
        if !problems.isEmpty { throw Problem(.invalidRequest, errors: problems) }
    }
}
