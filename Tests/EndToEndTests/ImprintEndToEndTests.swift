import Foundation
import ImprintEmulator
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// Devices, the real gateway and Imprint's emulator, over real sockets.
@Suite(.serialized)
struct ImprintEndToEndTests {
    private func id(_ group: String = "0CA4D000") -> String { "\(group)-0000-4000-8000-000000000001" }

    private func register(_ card: String, _ group: String = "0CA4D000", in house: House) async throws {
        let emulated = EmulatedCard(id: id(group), last4: "4242", network: .visa)
        let answer = try await house.rehearsal.register(card, as: emulated, at: "imprint_demo")
        #expect(answer.status == 201, "\(answer.problemLine)")
    }

    /// How many times a provisioning was asked for.
    private func calls(_ house: House) -> [RequestRecord] {
        house.sandbox.requests(to: "imprint").filter { $0.request.path.contains("/provision/") }
    }

    private func members(_ answer: GatewayAnswer) -> [String?] {
        ["code", "outcome", "retry"].map { answer.json?[$0]?.string }
    }

    @Test func everyDeviceOpensWhatItGets() async throws {
        try await House.with { house in
            try await register("card_1", in: house)
            let devices: [any SimulatedDevice] = [
                try SimulatedPhone(network: house.network), SimulatedAndroidPhone(network: house.network),
            ]
            for device in devices {
                let attempt = try device.begin()
                let answer = try await house.rehearsal.provision("card_1", with: attempt, of: device)
                #expect(answer.status == 201, "\(device.name): \(answer.problemLine)")
                let verdict = try attempt.finish(try #require(answer.json?["handoff"]))
                #expect(verdict.token.cardLast4 == "4242")
                #expect(verdict.deed == (device.wallet == .applePay ? "decrypted the pass" : "opened the token card"))
                #expect(answer.json?["provider"]?.string == "imprint")
            }
            #expect(calls(house).count == 2)
        }
    }

    /// H01, H03: what the app sends in another alphabet and without padding arrives in Imprint's form, and is reported.
    @Test func h01h03RepairsAreReported() async throws {
        try await House.with { house in
            try await register("card_1", in: house)
            let phone = try SimulatedPhone(network: house.network)
            let attempt = URLSafeAttempt(attempt: try phone.beginPass())
            let answer = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(answer.status == 201, "\(answer.problemLine)")
            let pointers = answer.json?["repairs"]?.elements?.compactMap { $0["pointer"]?.string } ?? []
            #expect(pointers.contains("/apple_pay/nonce"))
            #expect(try attempt.finish(try #require(answer.json?["handoff"])).deed == "decrypted the pass")
        }
    }

    /// G06: Google Pay is off until the connection says otherwise: neither offered nor called.
    @Test func g06GooglePayThatIsOffIsNeitherOfferedNorCalled() async throws {
        try await House.with(adjusting: turnGooglePayOff) { house in
            try await register("card_1", in: house)
            let wallets = try await house.rehearsal.wallets(of: "card_1").json?["data"]?.elements ?? []
            #expect(wallets.map { $0["eligible"]?.bool } == [true, false])
            let google = wallets.last
            #expect(google?["wallet"]?.string == "google_pay" && google?["reason"]?.string == "wallet_unsupported")
            #expect(google?["channels"]?.elements?.isEmpty == true)
            #expect(google?["handoff"]?.isNull == true && google?["plan"]?.isNull == true)
            let phone = SimulatedAndroidPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            #expect(answer.status == 400)
            #expect(members(answer) == ["wallet_unsupported", "not_sent", "never"])
            #expect(calls(house).isEmpty)
        }
    }

    private func turnGooglePayOff(_ configuration: inout LaboratoryConfiguration) {
        configuration.connections = configuration.connections.map { name, connection in
            let settings = connection.settings.filter { $0.key != "google_pay" }
            return (name, EmulatedConnection(settings: settings, files: connection.files))
        }
    }

    /// E13, H16: what Imprint answers, and what the platform is told of it.
    @Test(arguments: [
        ("0CA4D010", 502, ["provider_unauthorized", "refused", "never"]),
        ("0CA4D011", 422, ["device_ineligible", "refused", "never"]),
        ("0CA4D012", 409, ["already_provisioned", "applied", "treat_as_success"]),
        ("0CA4D013", 400, ["handshake_rejected", "refused", "fresh_handshake"]),
        ("0CA4D001", 422, ["provider_rejected", "refused", "never"]),
        ("0CA4D020", 503, ["provider_rate_limited", "refused", "fresh_handshake"]),
        ("0CA4D022", 503, ["provider_unavailable", "unknown", "fresh_handshake"]),
        ("0CA4D023", 504, ["provider_timeout", "unknown", "check_wallet_first"]),
        ("0CA4D031", 504, ["provider_timeout", "unknown", "check_wallet_first"]),
        ("0CA4D034", 502, ["provider_contract_violation", "unknown", "fresh_handshake"]),
        ("0CA4DFFF", 422, ["provider_card_not_found", "refused", "never"]),
    ])
    func e13h16EveryAnswerHasItsProblem(_ group: String, _ status: Int, _ expected: [String]) async throws {
        try await House.with { house in
            try await register("card_1", group, in: house)
            let phone = try SimulatedPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            #expect(answer.status == status)
            #expect(members(answer) == expected)
            #expect(calls(house).count == 1)
        }
    }

    @Test func aGoogleCallIsRepeatedOnce() async throws {
        try await House.with { house in
            try await register("card_1", in: house)
            var fault = ScriptedFault()
            fault.pathSuffix = "/provision/google_pay"
            fault.afterHandling = true
            fault.breaks = .reset
            house.sandbox.script(fault, for: "imprint")
            let phone = SimulatedAndroidPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            #expect(answer.status == 201, "\(answer.problemLine)")
            #expect(calls(house).count == 2)
        }
    }

    /// P01: the number and code that Imprint shows in every payment method are found nowhere afterwards.
    @Test func theCardsNumberIsFoundNowhere() async throws {
        try await House.with { house in
            try await register("card_1", in: house)
            let secrets = [ImprintEmulator.cardNumber, ImprintEmulator.cardCode, ImprintEmulator.apiKey]
                .map { SecretBytes(utf8: $0) }
            let phone = try SimulatedPhone(network: house.network)
            let answers = [
                try await house.rehearsal.wallets(of: "card_1"),
                try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone),
                try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone),
            ]
            #expect(answers.map(\.status) == [200, 201, 409])
            #expect(await house.gateway.stop() == 0)
            let files = try FileManager.default.contentsOfDirectory(
                at: house.gateway.folder, includingPropertiesForKeys: nil)
            var places = try files.filter { $0.lastPathComponent != "passgate.yaml" }.map { file in
                (name: file.lastPathComponent, contents: try Data(contentsOf: file))
            }
            places += answers.enumerated().map { index, answer in
                ("answer \(index)", Data(answer.json?.canonical.reveal() ?? []))
            }
            let search = SecretSearch(places)
            for secret in secrets { #expect(search.findings(of: secret) == []) }
            #expect(!search.findings(of: SecretBytes(utf8: id())).isEmpty, "the search finds what is there")
        }
    }
}

/// An attempt whose nonce and signature come in the URL alphabet, without padding.
private struct URLSafeAttempt: DeviceAttempt {
    let attempt: PassAttempt

    var secrets: [SecretBytes] { attempt.secrets }

    func writeHandshake(into json: inout JSONWriter) {
        func text(_ bytes: SecretBytes) -> String { Base64.encode(bytes.reveal(), alphabet: .urlSafe, padded: false) }
        json.member(
            "apple_pay",
            object: { json in
                json.member(
                    "certificates",
                    array: { json in
                        for certificate in attempt.certificates { json.value(base64: SecretBytes(certificate)) }
                    })
                json.member("nonce", text(attempt.nonce))
                json.member("nonce_signature", text(attempt.nonceSignature))
                json.member("encoding", "base64")
            })
    }

    func finish(_ handoff: JSONView) throws(DeviceFailure) -> DeviceVerdict { try attempt.finish(handoff) }
}
