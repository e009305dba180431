import JSON
import ProviderKit
import ProviderTesting
import Sandbox
import StripeEmulator

/// A Stripe emulator of its own, with a clock that tests move, and calls to it.
struct EmulatorFixture {
    static let version = "2020-08-27"

    let network = SimulatedNetwork()
    let clock = FixedClock()
    let emulator: StripeEmulator

    init() { emulator = StripeEmulator(json: JSONParser(), network: network, clock: clock) }

    /// What was answered.
    struct Answer {
        let response: EmulatedResponse
        let json: JSONView?

        var status: Int { response.status }
        var error: JSONView? { json?["error"] }
        var code: String? { error?["code"]?.string }
        var type: String? { error?["type"]?.string }
        var param: String? { error?["param"]?.string }
        func header(_ name: String) -> String? { response.headers.first { $0.name == name }?.value }
    }

    /// One call. Headers are the usual ones, with those of `changes` in their place; nil leaves one out.
    func send(
        _ method: String, _ path: String, query: String = "", body: String = "",
        _ changes: [String: String?] = [:]
    ) async -> Answer {
        var headers: [String: String] = [
            "authorization": "Bearer \(StripeEmulator.secretKey)", "stripe-version": Self.version,
        ]
        if method == "POST" { headers["content-type"] = "application/x-www-form-urlencoded" }
        for (name, value) in changes { headers[name] = value }
        let response = await emulator.handle(
            EmulatedRequest(
                method: method, path: path, query: query, headers: headers.map { ($0.key, $0.value) },
                body: SecretBytes(utf8: body)))
        return Answer(response: response, json: try? JSONParser().parse(response.body).root)
    }

    func get(_ path: String, query: String = "", _ changes: [String: String?] = [:]) async -> Answer {
        await send("GET", path, query: query, changes)
    }

    /// Asks for a key.
    func key(_ card: String = "ic_ok", _ changes: [String: String?] = [:]) async -> Answer {
        await send("POST", "/v1/ephemeral_keys", body: "issuing_card=\(card)", changes)
    }

    /// The payload of a Google attempt, with a key's secret.
    func details(_ secret: String?, card: String = "ic_ok", version: String? = version, query: String? = nil) async
        -> Answer
    {
        let ids = "android%5Bwallet_account_id%5D=w&android%5Bdevice_id%5D=d"
        return await get(
            "/v1/issuing/cards/\(card)/push_provisioning_details", query: query ?? ids,
            ["authorization": "Bearer \(secret ?? "")", "stripe-version": version])
    }
}
