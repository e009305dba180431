import ProviderKit
import SecretMemory
import Synchronization

/// A transport that gives one answer to every request, whatever it asks for, and counts them.
final class OneReply: UpstreamTransport {
    /// More calls than any use of an adapter makes.
    static let callLimit = 32

    private struct State {
        var reply: UpstreamResponse?
        var calls = 0
    }

    private let state = Mutex(State())

    /// How many requests came since the reply was set.
    var calls: Int { state.withLock(\.calls) }

    /// What is answered from now on; nil for no answer.
    func set(_ reply: UpstreamResponse?) { state.withLock { $0 = State(reply: reply) } }

    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        let reply = state.withLock { state in
            state.calls += 1
            return state.calls > Self.callLimit ? nil : state.reply
        }
        guard let reply else { throw .notSent(.unreachable) }
        // So that the adapter comes to the call that an access token is for.
        if request.url == "https://access.checkout.com/connect/token", calls == 1 {
            return UpstreamResponse(
                status: 200, headers: [],
                body: SecretBytes(utf8: #"{"access_token":"invented","token_type":"Bearer","expires_in":3600}"#))
        }
        return reply
    }
}
