import RawSockets
import Synchronization

/// Where events are sent to. It takes all, and keeps each request whole: several may come at once.
final class Receiver: Sendable {
    let server: ScriptedServer
    private let kept: Requests

    /// The requests that came, each with its body.
    var requests: [String] { kept.all.withLock { $0 } }

    private final class Requests: Sendable {
        let all = Mutex<[String]>([])
    }

    /// Listens on a free port.
    init() throws {
        let kept = Requests()
        self.kept = kept
        server = try ScriptedServer { peer in
            while let request = peer.readRequest() {
                kept.all.withLock { $0.append(request) }
                peer.answer()
            }
        }
    }
}
