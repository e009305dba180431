import Foundation
import Synchronization

@testable import PassgateClient

/// Answers with a script, and keeps what was asked.
final class ScriptedExecutor: HTTPExecuting {
    enum Step: Sendable {
        case answer(status: Int, body: String)
        case fail
    }

    struct Lost: Error {}

    private let state: Mutex<(steps: [Step], calls: [HTTPCall])>

    init(_ steps: [Step]) { state = Mutex((steps, [])) }

    var calls: [HTTPCall] { state.withLock { $0.calls } }

    func execute(_ request: HTTPCall) async throws -> HTTPAnswer {
        let step = state.withLock { state in
            state.calls.append(request)
            return state.steps.isEmpty ? Step.fail : state.steps.removeFirst()
        }
        switch step {
        case .answer(let status, let body):
            return HTTPAnswer(status: status, headers: [("Request-Id", "req_1")], body: Data(body.utf8))
        case .fail: throw Lost()
        }
    }
}

extension HTTPCall {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
