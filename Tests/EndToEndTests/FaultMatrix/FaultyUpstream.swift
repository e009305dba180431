import Dispatch
import ProviderKit
import RawSockets
import Sandbox
import SecretMemory
import Synchronization

/// A processor's emulator behind raw sockets: well, until it is told what its next calls meet.
final class FaultyUpstream: Sendable {
    /// A call that met the fault, or came after it.
    struct Call: Sendable {
        let path: String
        let idempotencyKey: String?
        let at = ContinuousClock.now
    }

    private let line: Line
    private let server: ScriptedServer

    /// Starts a processor on a free port.
    init(_ emulator: any Emulator) throws {
        let line = Line(emulator)
        self.line = line
        server = try ScriptedServer { line.serve($0) }
    }

    /// Where it listens.
    var url: String { server.url("") }

    /// The calls since it was told of a fault.
    var calls: [Call] { line.state.withLock { $0.calls } }

    /// Has the next calls meet the fault, as many as that; those after them are well again.
    func arm(
        _ fault: MatrixFault, answering given: (@Sendable () -> RawAnswer)? = nil, for count: Int = .max
    ) {
        line.state.withLock { state in
            state.fault = fault
            state.given = given
            state.left = count
            state.calls = []
        }
        if fault == .refused { server.hangUp() }
    }

    /// Ends it.
    func stop() { server.stop() }

    private final class Line: Sendable {
        struct State {
            var fault: MatrixFault?
            var given: (@Sendable () -> RawAnswer)?
            var left = 0
            var calls: [Call] = []
        }

        let state = Mutex(State())
        private let emulator: any Emulator

        init(_ emulator: any Emulator) { self.emulator = emulator }

        /// Serves one connection, request by request.
        func serve(_ peer: Peer) {
            while let text = peer.peekRequest() {
                let request = Self.read(text)
                let (fault, given) = take(request)
                if fault?.comesBeforeReading != true { peer.readRequest() }
                guard let fault else {
                    peer.write(RawAnswer(answer(request)).bytes)
                    continue
                }
                fault.act(on: peer) { given?() ?? RawAnswer(self.answer(request)) }
            }
        }

        /// Notes the call, and what it meets.
        private func take(_ request: EmulatedRequest) -> (fault: MatrixFault?, given: (@Sendable () -> RawAnswer)?) {
            state.withLock { state in
                guard let fault = state.fault else { return (nil, nil) }
                state.calls.append(Call(path: request.path, idempotencyKey: request.header("idempotency-key")))
                guard state.left > 0 else { return (nil, nil) }
                state.left -= 1
                return (fault, state.given)
            }
        }

        /// What the emulator answers. The thread is the connection's own, and may wait.
        private func answer(_ request: EmulatedRequest) -> EmulatedResponse {
            let answer = Mutex<EmulatedResponse?>(nil)
            let isThere = DispatchSemaphore(value: 0)
            Task { [emulator] in
                let response = await emulator.handle(request)
                answer.withLock { $0 = response }
                isThere.signal()
            }
            isThere.wait()
            return answer.withLock { $0 } ?? EmulatedResponse(status: 500)
        }

        private static func read(_ text: String) -> EmulatedRequest {
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            let lines = parts[0].split(separator: "\r\n").map(String.init)
            let words = lines[0].split(separator: " ").map(String.init)
            let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let headers = lines.dropFirst().map { line in
                let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                return (name: field[0].lowercased(), value: String(field[1].drop { $0 == " " }))
            }
            return EmulatedRequest(
                method: words[0], path: target[0], query: target.count > 1 ? target[1] : "", headers: headers,
                body: SecretBytes(utf8: parts.count > 1 ? String(parts[1]) : ""))
        }
    }
}
