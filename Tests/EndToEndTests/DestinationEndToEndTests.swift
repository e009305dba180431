import Crypto
import Foundation
import JSON
import ProviderKit
import Provisioning
import RawSockets
import Sandbox
import SecretMemory
import StripeEmulator
import Synchronization
import Testing

/// Events from the real gateway to receivers of raw sockets, with every answer that a receiver may think of.
@Suite(.serialized)
struct DestinationEndToEndTests {
    private func withHouse(_ body: (House) async throws -> Void) async throws {
        try await House.with(
            adjusting: { $0.additions += "event_destinations: { allow_private: true }\n" },
            { [StripeEmulator(json: JSONParser(), network: $0)] }
        ) { house in
            let card = EmulatedCard(id: "ic_ok", last4: "4242", network: .visa)
            let answer = try await house.rehearsal.register("card_1", as: card, at: "stripe_demo")
            #expect(answer.status == 201, "\(answer.problemLine)")
            try await body(house)
        }
    }

    private func add(_ url: String, _ house: House) async throws -> (id: String, secret: String) {
        let body = SecretBytes(utf8: #"{"url":"\#(url)"}"#)
        let answer = try await house.gateway.client.send(.post, "/v1/event_destinations", body)
        #expect(answer.status == 201, "\(answer.problemLine)")
        return (try #require(answer.json?["id"]?.string), try #require(answer.json?["secret"]?.string))
    }

    /// Has an event written, by a processor's webhook.
    private func tell(_ token: String, _ house: House) async throws {
        let now = SandboxClock().now.seconds
        let body = """
            {"id":"evt_\(token)","object":"event","type":"issuing_token.updated","created":\(now),"livemode":false,
            "data":{"object":{"id":"\(token)","object":"issuing.token","card":"ic_ok","created":\(now),
            "status":"active","wallet_provider":"google_pay","last4":"9341","livemode":false}}}
            """
        #expect(try await house.deliver(body, to: "stripe_demo", SignedWebhook.stripe(body)).status == 200)
    }

    private func log(_ id: String, _ house: House) async throws -> [JSONView] {
        let answer = try await house.gateway.client.send(.get, "/v1/event_destinations/\(id)")
        return try #require(answer.json?["deliveries"]?["data"]?.elements, "\(answer.problemLine)")
    }

    private func attempt(_ id: String, _ house: House) async throws -> JSONView {
        var found: JSONView?
        try await house.wait {
            found = try await log(id, house).first?["attempts"]?.elements?.first
            return found != nil
        }
        return try #require(found)
    }

    @Test func w02AnEventArrivesSignedByteForByte() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        try await withHouse { house in
            let destination = try await add(server.url("/hook"), house)
            try await tell("intok_1", house)
            try await house.wait {
                try await log(destination.id, house).first?["status"]?.string == "delivered"
            }
            let parts = server.received.components(separatedBy: "\r\n\r\n")
            let (head, body) = (parts[0], parts[1])
            let event = try #require(try await house.list("/v1/events").first?["id"]?.string)
            let read = try await house.gateway.client.send(.get, "/v1/events/\(event)")
            #expect(read.body.revealText() == body)
            let fields = head.split(separator: "\r\n").dropFirst().reduce(into: [String: String]()) { fields, line in
                let pair = line.split(separator: ":", maxSplits: 1)
                fields[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
            }
            #expect(head.hasPrefix("POST /hook HTTP/1.1\r\n") && fields["webhook-id"] == event)
            let key = try #require(Base64.decode(SecretBytes(utf8: destination.secret.dropFirst("whsec_".count))))
            let signed = "\(event).\(fields["webhook-timestamp"] ?? "").\(body)"
            let code = HMACSHA256.code(key: key, of: [SecretBytes(utf8: signed)])
            #expect(fields["webhook-signature"] == "v1,\(Base64.encode(code))")
        }
    }

    /// A receiver's way to fail, and what the log says of it.
    enum Fault: String, CaseIterable {
        case redirects, fails, closes, resets, isHuge, garbles

        func act(on peer: Peer, elsewhere: String) {
            peer.readRequest()
            switch self {
            case .redirects: peer.write("HTTP/1.1 307 Moved\r\nLocation: \(elsewhere)\r\nContent-Length: 0\r\n\r\n")
            case .fails: peer.write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
            case .closes: peer.close()
            case .resets: peer.reset()
            case .isHuge:
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
                let part = String(repeating: "x", count: 65_536)
                for _ in 0..<10_000 where !peer.hasClientLeft(within: 0) { peer.write(part) }
            case .garbles: peer.write("not HTTP at all\r\n\r\n")
            }
        }

        var status: Int? {
            switch self {
            case .redirects: 307
            case .fails: 500
            case .isHuge: 200
            case .closes, .resets, .garbles: nil
            }
        }
    }

    @Test func everyFailureIsToldAndNoneIsFollowed() async throws {
        let elsewhere = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { elsewhere.stop() }
        let servers = try Fault.allCases.map { fault in
            (fault, try ScriptedServer { [url = elsewhere.url()] in fault.act(on: $0, elsewhere: url) })
        }
        defer { for (_, server) in servers { server.stop() } }
        try await withHouse { house in
            var ids: [(Fault, String)] = []
            for (fault, server) in servers { ids.append((fault, try await add(server.url(), house).id)) }
            let good = try await add(elsewhere.url("/good"), house).id
            try await tell("intok_1", house)
            for (fault, id) in ids {
                let attempt = try await attempt(id, house)
                #expect(attempt["status"]?.integer == fault.status, "\(fault)")
                #expect((attempt["failure"]?.string == nil) == (fault.status != nil), "\(fault)")
                let delivery = try #require(try await log(id, house).first)
                #expect(delivery["status"]?.string == (fault == .isHuge ? "delivered" : "pending"), "\(fault)")
            }
            #expect(try await attempt(good, house)["status"]?.integer == 200)
            #expect(elsewhere.copies(of: "POST ") == 1)
        }
    }

    @Test func oneThatIsGoneIsDisabledUntilItIsReplayed() async throws {
        let isBack = Mutex(false)
        let server = try ScriptedServer { peer in
            while peer.readRequest() != nil {
                if isBack.withLock({ $0 }) {
                    peer.answer()
                } else {
                    peer.write("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n")
                }
            }
        }
        defer { server.stop() }
        try await withHouse { house in
            let id = try await add(server.url(), house).id
            try await tell("intok_1", house)
            func status() async throws -> String? {
                try await house.gateway.client.send(.get, "/v1/event_destinations/\(id)").json?["status"]?.string
            }
            try await house.wait { try await status() == "disabled" }
            #expect(try await log(id, house).map { $0["status"]?.string } == ["dead"])
            isBack.withLock { $0 = true }
            let replay = try await house.gateway.client.send(
                .post, "/v1/event_destinations/\(id)/replay", SecretBytes(utf8: #"{"dead_letters":true}"#))
            #expect(replay.status == 202 && replay.json?["queued"]?.integer == 1)
            try await house.wait { try await log(id, house).first?["status"]?.string == "delivered" }
            #expect(try await status() == "enabled")
        }
    }

    /// One receiver never answers: the other has its events long before the first one's time is up.
    @Test func aSlowOneHoldsNoOtherUp() async throws {
        let slow = try ScriptedServer { peer in
            peer.readRequest()
            peer.waitForEnd()
        }
        defer { slow.stop() }
        let fast = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { fast.stop() }
        try await withHouse { house in
            let stuck = try await add(slow.url(), house).id
            let id = try await add(fast.url(), house).id
            for number in 1...5 { try await tell("intok_\(number)", house) }
            try await house.wait {
                try await log(id, house).filter { $0["status"]?.string == "delivered" }.count == 5
            }
            #expect(try await log(stuck, house).allSatisfy { $0["status"]?.string == "pending" })
            // All of one card: they go one after the other, in order.
            #expect(slow.connections == 1)
            let numbers = fast.received.components(separatedBy: "\"sequence\":").dropFirst().map { $0.prefix(1) }
            #expect(numbers == ["1", "2", "3", "4", "5"])
        }
    }

    @Test(arguments: ["https://127.0.0.1/", "http://localhost:9/", "https://[::ffff:10.0.0.1]/", "http://a.example/"])
    func ownNetworksAreRefusedUnlessAllowed(_ url: String) async throws {
        try await House.with { house in
            let answer = try await house.gateway.client.send(
                .post, "/v1/event_destinations", SecretBytes(utf8: #"{"url":"\#(url)"}"#))
            #expect(answer.status == 400 && answer.json?["errors"]?.elements?.first?["pointer"]?.string == "/url")
        }
    }
}
