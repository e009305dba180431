import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Synchronization

/// An emulator that answers with what it was asked, and counts.
final class EchoEmulator: Emulator {
    let name: String
    let displayName = "Echo"
    let magicIDs = [MagicID("echo_1", "answers")]
    let demoCard = EmulatedCard(id: "echo_1", last4: "0001", network: .visa)
    private let count = Mutex(0)

    init(name: String = "echo") { self.name = name }

    var handled: Int { count.withLock(\.self) }

    func sampleCall(at baseURL: String) -> String { "curl \(baseURL)" }

    func connection(at baseURL: String) -> EmulatedConnection { EmulatedConnection(settings: [("base_url", baseURL)]) }

    func handle(_ request: EmulatedRequest) async -> EmulatedResponse {
        count.withLock { $0 += 1 }
        var json = JSONWriter()
        json.object { json in json.member("path", request.path) }
        return .json(200, json.finish())
    }

    func reset() { count.withLock { $0 = 0 } }
}
