import IncreaseEmulator
import JSON
import ProviderKit
import Sandbox
import SecretMemory

/// An Increase emulator of its own, and calls to it.
struct EmulatorFixture {
    let network = SimulatedNetwork()
    let emulator: IncreaseEmulator

    init() { emulator = IncreaseEmulator(json: JSONParser(), network: network) }

    /// What was answered.
    struct Answer {
        let response: EmulatedResponse
        let json: JSONView?

        var status: Int { response.status }
        var type: String? { json?["type"]?.string }
        var fields: [String] { (json?["errors"]?.elements ?? []).compactMap { $0["field"]?.string } }
        func header(_ name: String) -> String? { response.headers.first { $0.name == name }?.value }
    }

    func get(_ path: String, query: String = "", authorization: String? = "Bearer \(IncreaseEmulator.apiKey)") async
        -> Answer
    {
        let headers = authorization.map { [("authorization", $0)] } ?? []
        return await send(EmulatedRequest(method: "GET", path: path, query: query, headers: headers))
    }

    func post(
        _ path: String, _ body: SecretBytes, key: String? = nil, contentType: String? = "application/json"
    ) async -> Answer {
        var headers = [(name: "authorization", value: "Bearer \(IncreaseEmulator.apiKey)")]
        if let contentType { headers.append(("content-type", contentType)) }
        if let key { headers.append(("idempotency-key", key)) }
        return await send(EmulatedRequest(method: "POST", path: path, headers: headers, body: body))
    }

    func push(_ body: String, card: String = "sandbox_card_ok", key: String? = nil) async -> Answer {
        await post("/cards/\(card)/push_provision", SecretBytes(utf8: body), key: key)
    }

    private func send(_ request: EmulatedRequest) async -> Answer {
        let response = await emulator.handle(request)
        return Answer(response: response, json: try? JSONParser().parse(response.body).root)
    }

    /// The body of a Google call, in app, with a session.
    static func googleBody(session: String = "session-1") -> String {
        """
        {"channel":"google_pay_in_app","cardholder_name":"Ian Crease","google_pay_in_app":{\
        "stable_hardware_identifier":"hardware-1","wallet_identifier":"wallet-1",\
        "server_session_identifier":"\(session)"}}
        """
    }
}
