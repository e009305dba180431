import ImprintEmulator
import JSON
import ProviderKit
import Sandbox
import SecretMemory

/// An Imprint emulator of its own, and calls to it.
struct EmulatorFixture {
    let network = SimulatedNetwork()
    let emulator: ImprintEmulator

    init() { emulator = ImprintEmulator(json: JSONParser(), network: network) }

    /// What was answered.
    struct Answer {
        let response: EmulatedResponse
        let json: JSONView?

        var status: Int { response.status }
        var code: String? { json?["error"]?["code"]?.string }
        var type: String? { json?["error"]?["type"]?.string }
        var message: String { json?["error"]?["message"]?.string ?? "" }
    }

    static let authorization = "Bearer \(ImprintEmulator.apiKey)"

    /// The id of a payment method of that kind.
    static func id(_ group: String = "0CA4D000") -> String { "\(group)-0000-4000-8000-000000000001" }

    func read(
        _ id: String = EmulatorFixture.id(), authorization: String? = EmulatorFixture.authorization,
        merchant: [String] = []
    ) async -> Answer {
        var headers = authorization.map { [(name: "authorization", value: $0)] } ?? []
        headers += merchant.map { (name: "x-imprint-merchant-key", value: $0) }
        return await send(EmulatedRequest(method: "GET", path: "/v2/payment_methods/\(id)", headers: headers))
    }

    func provision(
        _ body: SecretBytes, wallet: String, id: String = EmulatorFixture.id(),
        contentType: String? = "application/json"
    ) async -> Answer {
        var headers = [(name: "authorization", value: Self.authorization)]
        if let contentType { headers.append(("content-type", contentType)) }
        return await send(
            EmulatedRequest(
                method: "POST", path: "/v2/payment_methods/\(id)/provision/\(wallet)", headers: headers, body: body))
    }

    func google(_ id: String = EmulatorFixture.id(), body: String = #"{"wallet_id":"w","device_id":"d"}"#) async
        -> Answer
    {
        await provision(SecretBytes(utf8: body), wallet: "google_pay", id: id)
    }

    func send(_ request: EmulatedRequest) async -> Answer {
        let response = await emulator.handle(request)
        return Answer(response: response, json: try? JSONParser().parse(response.body).root)
    }

    /// The body of an Apple call; what is not given is the attempt's.
    static func body(
        _ attempt: PassAttempt, certificates: [[UInt8]]? = nil, nonce: SecretBytes? = nil,
        signature: SecretBytes? = nil
    ) -> SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member(
                "certificates",
                array: { json in
                    for certificate in certificates ?? attempt.certificates {
                        json.value(base64: SecretBytes(certificate))
                    }
                })
            json.member("nonce", base64: nonce ?? attempt.nonce)
            json.member("nonce_signature", base64: signature ?? attempt.nonceSignature)
        }
        return json.finish()
    }
}
