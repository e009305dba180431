import CheckoutEmulator
import CheckoutProvider
import Crypto
import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// A Checkout.com emulator of its own, calls to it, and an adapter that talks to it.
struct EmulatorFixture {
    static let baseURL = "http://127.0.0.1:1/checkout"
    let clock = FixedClock()
    let emulator: CheckoutEmulator

    init() { emulator = CheckoutEmulator(json: JSONParser(), network: SimulatedNetwork(), clock: clock) }

    /// What was answered.
    struct Answer {
        let response: EmulatedResponse
        let json: JSONView?

        var status: Int { response.status }
        var text: String { response.body.revealText() ?? "" }
        func header(_ name: String) -> String? { response.headers.first { $0.name == name }?.value }
    }

    func send(
        _ method: String, _ path: String, _ body: String = "", query: String = "",
        headers: [(name: String, value: String)] = []
    ) async -> Answer {
        let response = await emulator.handle(
            EmulatedRequest(
                method: method, path: path, query: query, headers: headers, body: SecretBytes(utf8: body)))
        return Answer(response: response, json: try? JSONParser().parse(response.body).root)
    }

    /// Asks for an access token.
    func grant(
        _ form: String = Self.form(), authorization: String? = nil,
        contentType: String? = "application/x-www-form-urlencoded"
    ) async -> Answer {
        var headers: [(name: String, value: String)] = []
        if let contentType { headers.append(("content-type", contentType)) }
        if let authorization { headers.append(("authorization", authorization)) }
        return await send("POST", "/connect/token", form, headers: headers)
    }

    /// The client's form.
    static func form(scope: String? = "issuing:card-management-read", secret: String = CheckoutEmulator.clientSecret)
        -> String
    {
        "grant_type=client_credentials&client_id=\(CheckoutEmulator.clientID)&client_secret=\(secret)"
            + (scope.map { "&scope=\($0)" } ?? "")
    }

    /// Reads with a new access token.
    func get(_ path: String, scope: String = "issuing:card-management-read") async throws -> Answer {
        let token = try #require(await grant(Self.form(scope: scope)).json?["access_token"]?.string)
        return await send("GET", path, headers: [("authorization", "Bearer \(token)")])
    }

    /// A magic card's id.
    static func card(_ word: String) -> String { "crd_\(word)" + String(repeating: "0", count: 26 - word.count) }

    /// An adapter whose requests go to the emulator, in process.
    func adapter(_ others: [(key: String, value: SettingValue)] = []) throws -> CheckoutProvider {
        let transport = ScriptedTransport { [emulator] (request) async throws(TransportFailure) in
            let path = String(request.url.dropFirst(Self.baseURL.count))
            let answer = await emulator.handle(
                EmulatedRequest(
                    method: request.method.rawValue, path: path,
                    headers: request.headers.map { ($0.name.lowercased(), $0.value.reveal()) },
                    body: request.body ?? SecretBytes([])))
            if answer.breaks != nil { throw .outcomeUnknown(.broken) }
            return UpstreamResponse(status: answer.status, headers: answer.headers, body: answer.body)
        }
        let connection = emulator.connection(at: Self.baseURL)
        let key = try #require(connection.files.first)
        let d1: [(key: String, value: SettingValue)] = [
            ("issuer_id", .text(SecretText(emulator.d1.issuerID))),
            ("keys", [.mapping([("key_id", .text(SecretText(CheckoutEmulator.keyID))), ("file", "key.pem")])]),
            ("issuer_url", .text(SecretText(emulator.d1.issuerURL))),
            ("audience_url", .text(SecretText(emulator.d1.audienceURL))),
            ("service_url", .text(SecretText("\(Self.baseURL)/d1/"))),
            ("digital_card_url", .text(SecretText("\(Self.baseURL)/d1/tpc"))),
            ("service_rsa_modulus", "c0ffee00d1"), ("service_rsa_exponent", "010001"),
        ]
        let settings = TestSettings(
            [
                ("client_id", .text(SecretText(CheckoutEmulator.clientID))),
                ("client_secret", .text(SecretText(CheckoutEmulator.clientSecret))),
                ("base_url", .text(SecretText(Self.baseURL))),
                ("access_url", .text(SecretText("\(Self.baseURL)/connect/token"))),
                ("d1", .mapping(d1.filter { item in !others.contains { $0.key == item.key } } + others)),
            ], environment: .test, files: ["key.pem": key.contents].merging(TestKeys.files) { first, _ in first })
        let kit = AdapterKit.testing(transport, cryptography: OpenSSLCryptography(), clock: clock)
        return try #require(
            CheckoutProvider(settings: settings.reader(), kit: kit), "\(settings.problems)")
    }

    /// The demo's card, as the gateway binds it.
    func binding(_ word: String = "ok") -> CardBinding {
        CardBinding(
            connection: "main", providerCardID: Self.card(word), providerCardholderID: emulator.demoCard.cardholderID,
            last4: emulator.demoCard.last4, network: .mastercard)
    }

    /// An authorization by the adapter.
    func authorization(_ adapter: CheckoutProvider, _ word: String = "ok") async throws -> D1Authorization {
        var request = try CheckoutHarness.request()
        request.card = binding(word)
        guard case .d1Authorization(let authorization) = try await adapter.provision(request) else {
            throw CryptographyFailure("another handoff")
        }
        return authorization
    }
}
