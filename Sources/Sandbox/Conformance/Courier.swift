import JSON
import ProviderConformance
import ProviderKit
import Synchronization

/// Carries a provider's requests over a real transport, and keeps what went and what came for the conformance suite.
///
/// Silence and a caller who leaves are played here: nothing may be sent then, so no emulator has a part in it.
final class Courier: UpstreamTransport, CustomReflectable {
    private let transport: any UpstreamTransport
    private let situation: Situation
    private let record = Mutex(Record())

    private struct Record {
        var requests: [UpstreamRequest] = []
        var answers: [UpstreamResponse] = []
    }

    init(_ transport: any UpstreamTransport, in situation: Situation) {
        self.transport = transport
        self.situation = situation
    }

    /// What was sent, or would have been.
    var requests: [UpstreamRequest] { record.withLock { $0.requests } }

    /// What was answered.
    var answers: [UpstreamResponse] { record.withLock { $0.answers } }

    /// Nothing: a provider's description must not show what was said.
    var customMirror: Mirror { Mirror(self, children: []) }

    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        record.withLock { $0.requests.append(request) }
        switch situation {
        case .cancelledBeforeSend: throw .notSent(.cancelled)
        case .silent:
            try? await Task.sleep(until: request.deadline, clock: .continuous)
            throw Task.isCancelled ? .notSent(.cancelled) : .outcomeUnknown(.deadline)
        default:
            let answer = try await transport.send(request)
            record.withLock { $0.answers.append(answer) }
            return answer
        }
    }
}

extension Courier {
    /// What the requests' `Authorization` fields hold.
    var credentials: [String] {
        requests.flatMap { request in
            request.headers.filter { $0.name.lowercased() == "authorization" }
                .compactMap { $0.value.reveal().split(separator: " ").last.map(String.init) }
        }
    }

    /// The sentences of what was answered: texts of three words or more.
    var sentences: [String] {
        var found: [String] = []
        for answer in answers {
            (try? JSONParser().parse(answer.body))?.root.collectTexts { _, text in
                if text.count(where: { $0 == " " }) > 1 { found.append(text) }
            }
        }
        return found
    }
}
