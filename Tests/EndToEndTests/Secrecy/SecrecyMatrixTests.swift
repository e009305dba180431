import CheckoutEmulator
import Foundation
import ImprintEmulator
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing
import ThalesEmulator

/// Card numbers, keys, nonces and handoffs are put wherever a caller, a device or a processor can put them, and the
/// gateway is crashed at the end: they stand in no log, no file of the store, no metric and no answer but the handoff's
/// own. `make secrecy` prints what was looked for, and where.
@Suite(.serialized)
struct SecrecyMatrixTests {
    private static let answers = "answers"
    private let book = CanaryBook(seed: 0x5ec4e7)

    @Test func noCanaryStandsWhereItMayNot() async throws {
        try await House.with(adjusting: { $0.additions = "limits: { provisionings_per_card_per_minute: 100000 }" }) {
            [
                StripeEmulator(json: JSONParser(), network: $0), CheckoutEmulator(json: JSONParser(), network: $0),
                ThalesEmulator(json: JSONParser()),
            ]
        } _: { house in
            addCredentials(house)
            for emulator in house.sandbox.emulators {
                let answer = try await house.rehearsal.register(
                    "card_\(emulator.name)", as: emulator.demoCard,
                    at: LaboratoryConfiguration.connectionName(of: emulator))
                #expect(answer.status == 201, "\(emulator.name): \(answer.problemLine)")
                try await addHandoffs(house, emulator)
            }
            try await sendMembers(house)
            try await sendHeadersAndPaths(house)
            for emulator in house.sandbox.emulators { try await answerWithNumbers(house, emulator) }
            try await sendWebhooks(house)
            let admin = "http://127.0.0.1:\(house.gateway.configuration.adminPort)/metrics"
            let metrics = try await house.transport.send(
                UpstreamRequest(.get, admin, deadline: .now + .seconds(10)))
            #expect(metrics.status == 200)
            try await crashWithAnAttemptUnderWay(house)
            try report(places(house) + [("metrics", Data(metrics.body.reveal())), (Self.answers, book.answers)])
        }
    }

    /// What the gateway's configuration holds.
    private func addCredentials(_ house: House) {
        book.add("credential", "api key", house.gateway.configuration.apiKey.bytes)
        book.add("credential", "root secret", house.gateway.configuration.rootSecret.bytes)
        for (name, connection) in house.gateway.configuration.connections {
            for (key, value) in connection.settings where ["key", "secret", "token"].contains(where: key.contains) {
                for text in value.split(separator: "\"").map(String.init) where text.count >= 12 && !text.contains(":")
                {
                    book.add("credential", "\(name).\(key)", SecretBytes(utf8: text))
                }
            }
            for (file, contents) in connection.files where contents.contains("PRIVATE KEY") {
                let lines = contents.split(separator: "\n").filter { !$0.hasPrefix("-") }
                for line in lines { book.add("credential", "\(name) \(file)", SecretBytes(utf8: String(line))) }
            }
        }
    }

    /// Each wallet's handshake and handoff, and the same handshake again.
    private func addHandoffs(_ house: House, _ emulator: any Emulator) async throws {
        let devices: [any SimulatedDevice] = [
            try SimulatedPhone(network: house.network), SimulatedAndroidPhone(network: house.network),
        ]
        for device in devices {
            let attempt = try device.begin()
            for _ in 0..<2 {
                let answer = try await house.rehearsal.provision(
                    "card_\(emulator.name)", with: attempt, of: device, sdk: emulator.sdk)
                if answer.json?["handoff"] == nil { book.keep(answer.body) }
                let place = "\(emulator.name) \(device.wallet.rawValue)"
                if emulator.sdk == nil { for secret in attempt.secrets { book.add("handshake", place, secret) } }
                for name in Self.payload {
                    guard let text = answer.json?["handoff"]?[name]?.secretText?.bytes else { continue }
                    book.add("handoff", "\(place) \(name)", text)
                    if let bytes = Base64.decode(text) { book.add("handoff", "\(place) \(name)", bytes) }
                }
                if let key = answer.json?["handoff"]?["ephemeral_key"]?["secret"]?.secretText?.bytes {
                    book.add("handoff", "\(place) ephemeral_key", key)
                }
            }
        }
    }

    /// The members of handoffs that let somebody add the card.
    private static let payload = [
        "activation_data", "encrypted_pass_data", "ephemeral_public_key", "wrapped_key", "token_card", "account_card",
        "jwt", "encrypted_payload", "authorization_code",
    ]

    private func sendMembers(_ house: House) async throws {
        let now = SandboxClock().now.rfc3339
        func send(
            _ method: UpstreamRequest.Method, _ path: String, _ kind: String, _ place: (pointer: String, body: String)
        ) async throws {
            let canary = book.number(kind, place.pointer)
            let body = place.body.replacing("@", with: canary).replacing("#", with: now)
            let answer = try await house.gateway.client.send(method, path, SecretBytes(utf8: body))
            if answer.json?["handoff"] == nil { book.keep(answer.body) }
        }
        for place in CanaryRequests.provisionings {
            try await send(.post, "/v1/cards/card_increase/provisionings", "provisioning member", place)
        }
        for place in CanaryRequests.cards {
            try await send(.put, "/v1/cards/card_canary", "card member", place)
        }
        for pointer in ["/error/domain", "/error/code", "/error/message"] {
            let made = try await house.gateway.client.send(.get, "/v1/provisionings?status=handed_off&limit=1")
            let id = try #require(made.json?["data"]?.elements?.first?["id"]?.string, "\(made.problemLine)")
            let member = pointer.split(separator: "/")[1]
            try await send(
                .post, "/v1/provisionings/\(id)/outcome", "device's error",
                (pointer, #"{"result":"failed","error":{"\#(member)":"@ declined"}}"#))
        }
        try await send(
            .post, "/v1/cards/card_increase/wallet_button", "button",
            ("/device/local_pass", #"{"wallet":"apple_pay","device":{"can_add":true,"local_pass":"@"}}"#))
        try await send(
            .post, "/v1/event_destinations", "destination", ("/url", #"{"url":"https://user:@@hooks.example/"}"#))
    }

    private func sendHeadersAndPaths(_ house: House) async throws {
        for (name, value) in CanaryRequests.headers {
            let canary = book.number("header", name)
            let answer = try await house.gateway.client.send(
                .post, "/v1/cards/card_increase/provisionings", SecretBytes(utf8: "{}"),
                headers: [.init(name, value.replacing("@", with: canary))])
            book.keep(answer.body)
            book.keep(SecretBytes(utf8: answer.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")))
        }
        for path in CanaryRequests.paths {
            let canary = book.number("path", path)
            let answer = try await house.gateway.client.send(.get, path.replacing("@", with: canary))
            book.keep(answer.body)
        }
    }

    /// A processor answers with card numbers in every member that an error may have, in a page, and in its header.
    private func answerWithNumbers(_ house: House, _ emulator: any Emulator) async throws {
        let device = SimulatedAndroidPhone(network: house.network)
        for status in [200, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503] {
            for isPage in [false, true] {
                let number = book.number("processor's answer", "\(emulator.name) \(status) \(isPage ? "page" : "JSON")")
                let members = [
                    "code", "type", "message", "param", "title", "detail", "error_type", "request_id", "status",
                ]
                let json = members.map { #""\#($0)":"\#(number)""# }.joined(separator: ",")
                let body =
                    isPage
                    ? "<html><title>\(number)</title><p>\(number)</html>"
                    : #"{"error":{\#(json),"doc_url":"https://x.example/\#(number)"},"error_codes":["\#(number)"],\#(json)}"#
                var fault = ScriptedFault()
                fault.count = 4
                fault.status = status
                fault.contentType = isPage ? "text/html" : "application/json"
                fault.body = SecretBytes(utf8: body)
                fault.headers = ["Request-Id", "X-Request-Id", "Cko-Request-Id", "Location", "Retry-After"].map {
                    ($0, number)
                }
                house.sandbox.script(fault, for: emulator.name)
                let answer = try await house.rehearsal.provision(
                    "card_\(emulator.name)", with: device.begin(), of: device, sdk: emulator.sdk)
                if answer.json?["handoff"] == nil { book.keep(answer.body) }
                let wallets = try await house.rehearsal.wallets(of: "card_\(emulator.name)")
                book.keep(wallets.body)
                house.sandbox.clearFaults(for: emulator.name)
            }
        }
        let list = try await house.gateway.client.send(.get, "/v1/provisionings?limit=100")
        book.keep(list.body)
    }

    private func sendWebhooks(_ house: House) async throws {
        for emulator in house.sandbox.emulators {
            let connection = LaboratoryConfiguration.connectionName(of: emulator)
            let number = book.number("webhook", connection)
            let body =
                #"{"id":"evt_canary","type":"canary","data":{"object":{"number":"\#(number)"}},"card":"\#(number)"}"#
            let signed = [
                "stripe": SignedWebhook.stripe(body), "checkout": SignedWebhook.checkout(body),
                "imprint": SignedWebhook.imprint(body), "increase": SignedWebhook.increase(body),
            ]
            let forged = book.number("webhook's signature", connection)
            for headers in [signed[emulator.name] ?? [], [.init("webhook-signature", "v1,\(forged)")]] {
                let answer = try await house.deliver(body, to: connection, headers)
                book.keep(answer.body)
            }
        }
    }

    /// The process is made to fail in the midst of an attempt: what it leaves is searched as well, and no core is left.
    private func crashWithAnAttemptUnderWay(_ house: House) async throws {
        var slow = ScriptedFault()
        slow.pathSuffix = "/push_provision"
        slow.afterHandling = true
        slow.delay = .seconds(20)
        let before = house.pushes().count
        house.sandbox.script(slow, for: "increase")
        let phone = try SimulatedPhone(network: house.network)
        let attempt = try phone.begin()
        for secret in attempt.secrets { book.add("handshake", "at the crash", secret) }
        async let answer = try? house.rehearsal.provision("card_increase", with: attempt, of: phone)
        try await house.wait { house.pushes().count > before }
        house.gateway.process.signal(SIGSEGV)
        #expect(await house.gateway.process.exit(within: .seconds(60)) == -SIGSEGV)
        #expect(await answer == nil)
        let files = try FileManager.default.contentsOfDirectory(atPath: house.gateway.folder.path)
        #expect(!files.contains { $0.hasPrefix("core") }, "no core: \(files)")
    }

    /// The gateway's output, and every file of its folder but the configuration and the keys that it names.
    private func places(_ house: House) throws -> [(name: String, contents: Data)] {
        let given = Set(
            house.gateway.configuration.connections.flatMap(\.connection.files).map(\.name) + ["passgate.yaml"])
        let files = try FileManager.default.contentsOfDirectory(
            at: house.gateway.folder, includingPropertiesForKeys: nil)
        return try files.filter { !given.contains($0.lastPathComponent) }.map { file in
            (file.lastPathComponent, try Data(contentsOf: file))
        }
    }

    /// Looks for every canary in every place, and writes the table that `make secrecy` prints.
    private func report(_ places: [(name: String, contents: Data)]) throws {
        let search = SecretSearch(places)
        #expect(!search.findings(of: SecretBytes(utf8: "card_increase")).isEmpty, "the search finds what is there")
        var table = TextTable([("what", .left), ("values", .right), ("found", .right)])
        let kinds = Dictionary(grouping: book.canaries, by: \.kind).sorted { $0.key < $1.key }
        #expect(kinds.count >= 11 && book.canaries.count > 250, "\(book.canaries.count) in \(kinds.count)")
        for (kind, canaries) in kinds {
            var found = 0
            for canary in canaries {
                let findings = search.findings(of: canary.secret)
                #expect(findings == [], "\(kind): \(canary.place)")
                found += findings.isEmpty ? 0 : 1
            }
            table.add([kind, "\(canaries.count)", "\(found)"])
        }
        guard let path = ProcessInfo.processInfo.environment["SECRECY_REPORT"] else { return }
        let sizes = places.map { "  \($0.name), \($0.contents.count) bytes" }.sorted()
        let lines = table.lines + ["", "Looked for as they are, in hex, base64 and base64url, in:"] + sizes + [""]
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: path))
    }
}
