import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// Whatever is wrong with a request that can be seen here: nothing is sent for it, nothing is recorded, and its handshake
/// is still good.
@Suite(.serialized)
struct LocalRefusalEndToEndTests {
    /// A request for a pass, member by member as JSON.
    private struct Order {
        var wallet = #""apple_pay""#
        var channel = #""in_app""#
        var accept = #"["apple_pay_pass"]"#
        var cardholder: String?
        var certificates: String?
        var nonce: String?
        var signature: String?
        var encoding: String? = #""base64""#
        var hasHandshake = true
        /// Further members, with their commas.
        var additions = ""
        var headers: [UpstreamRequest.Header] = []

        init(_ pass: PassAttempt, at now: Timestamp) {
            certificates = Order.list(pass.certificates.map { Base64.encode($0) })
            nonce = "\"\(Base64.encode(pass.nonce.reveal()))\""
            signature = "\"\(Base64.encode(pass.nonceSignature.reveal()))\""
            cardholder = Order.cardholder("user_1", at: now)
        }

        static func list(_ texts: [String]) -> String { "[\(texts.map { "\"\($0)\"" }.joined(separator: ","))]" }

        static func cardholder(_ id: String, at moment: Timestamp?) -> String {
            let authentication = moment.map {
                #","authentication":{"method":"passkey","authenticated_at":"\#($0.wholeSecondsText)"}"#
            }
            return #"{"id":"\#(id)"\#(authentication ?? "")}"#
        }

        var json: String {
            let handshake = [
                ("certificates", certificates), ("nonce", nonce), ("nonce_signature", signature),
                ("encoding", encoding),
            ]
            let members = [
                ("wallet", wallet), ("channel", channel), ("accept", accept), ("cardholder", cardholder),
                ("apple_pay", hasHandshake ? Order.object(handshake) : nil),
            ]
            return "\(Order.object(members).dropLast())\(additions)}"
        }

        private static func object(_ members: [(String, String?)]) -> String {
            "{\(members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ","))}"
        }
    }

    /// One thing that is wrong, and what the caller is told.
    private struct Mistake {
        let name: String
        let code: String
        /// Where the mistake is, if it is in a member.
        let pointer: String?
        let make: (inout Order) -> Void

        init(_ name: String, _ code: String, at pointer: String? = nil, _ make: @escaping (inout Order) -> Void) {
            self.name = name
            self.code = code
            self.pointer = pointer
            self.make = make
        }
    }

    private func mistakes(with pass: PassAttempt, other: PassAttempt, now: Timestamp) -> [Mistake] {
        let (leaf, intermediate) = (Base64.encode(pass.certificates[0]), Base64.encode(pass.certificates[1]))
        let trailing = Base64.encode(pass.certificates[0] + [0])
        let hex = pass.certificates[0].map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let (nonce, certificates) = ("/apple_pay/nonce", "/apple_pay/certificates")
        return [
            Mistake("no handshake", "invalid_request", at: "/apple_pay") { $0.hasHandshake = false },
            Mistake("no nonce", "invalid_request", at: nonce) { $0.nonce = nil },
            Mistake("no signature", "invalid_request", at: "/apple_pay/nonce_signature") { $0.signature = nil },
            Mistake("no certificates", "invalid_request", at: certificates) { $0.certificates = nil },
            Mistake("a nonce that is a number", "invalid_request", at: nonce) { $0.nonce = "7" },
            Mistake("an empty nonce", "handshake_invalid", at: nonce) { $0.nonce = #""""# },
            Mistake("a nonce that is no base64", "handshake_invalid", at: nonce) { $0.nonce = #""!!!!""# },
            Mistake("a nonce in two alphabets", "handshake_invalid", at: nonce) { $0.nonce = #""+-AA""# },
            Mistake("a nonce of 257 bytes", "handshake_invalid", at: nonce) {
                $0.nonce = "\"\(Base64.encode([UInt8](repeating: 7, count: 257)))\""
            },
            Mistake("a nonce that reads as hex", "ambiguous_encoding", at: nonce) {
                $0.nonce = #""fbefbe00ff10""#
                $0.encoding = nil
            },
            Mistake("a nonce that is not as declared", "handshake_invalid", at: nonce) {
                $0.nonce = #""++++AP8Q""#
                $0.signature = #""00ff""#
                $0.encoding = #""hex""#
            },
            Mistake("an encoding that there is not", "invalid_request", at: "/apple_pay/encoding") {
                $0.encoding = #""rot13""#
            },
            Mistake("a list of no certificates", "handshake_invalid", at: certificates) { $0.certificates = "[]" },
            Mistake("the leaf alone", "handshake_invalid", at: certificates) { $0.certificates = Order.list([leaf]) },
            Mistake("the leaf twice", "handshake_invalid", at: certificates) {
                $0.certificates = Order.list([leaf, leaf])
            },
            Mistake("another phone's intermediate", "handshake_invalid", at: certificates) {
                $0.certificates = Order.list([leaf, Base64.encode(other.certificates[1])])
            },
            Mistake("five certificates", "handshake_invalid", at: certificates) {
                $0.certificates = Order.list([leaf, intermediate, leaf, intermediate, leaf])
            },
            Mistake("a certificate in hex", "handshake_invalid", at: certificates + "/0") {
                $0.certificates = Order.list([hex, intermediate])
            },
            Mistake("a byte after the certificate", "handshake_invalid", at: certificates + "/0") {
                $0.certificates = Order.list([trailing, intermediate])
            },
            Mistake("a list inside a text", "handshake_invalid", at: certificates + "/0") {
                $0.certificates = #"["[\"\#(leaf)\",\"\#(intermediate)\"]"]"#
            },
            Mistake("PEM that breaks off", "handshake_invalid", at: certificates + "/0") {
                $0.certificates = #"["-----BEGIN CERTIFICATE-----\n\#(leaf)","\#(intermediate)"]"#
            },
            Mistake("a wallet that nobody serves", "wallet_unsupported") { $0.wallet = #""samsung_pay""# },
            Mistake("a channel that is not served", "channel_unsupported") { $0.channel = #""web""# },
            Mistake("an app that knows other handoffs", "handoff_unsupported_by_app") {
                $0.accept = #"["stripe_ephemeral_key"]"#
            },
            Mistake("a plan that nobody made", "invalid_request", at: "/plan") { $0.additions = #","plan":"altered""# },
            Mistake("a member that nobody knows", "invalid_request", at: "/applepay") {
                $0.additions = #","applepay":{}"#
            },
            Mistake("no JSON", "malformed_json") { $0.additions = "," },
            Mistake("no cardholder", "invalid_request", at: "/cardholder/id") { $0.cardholder = nil },
            Mistake("another cardholder", "card_not_found") { $0.cardholder = Order.cardholder("user_2", at: now) },
            Mistake("no authentication", "authentication_required") {
                $0.cardholder = Order.cardholder("user_1", at: nil)
            },
            Mistake("an authentication of yesterday", "authentication_required") {
                $0.cardholder = Order.cardholder("user_1", at: now.adding(milliseconds: -86_400_000))
            },
            Mistake("a deadline that is none", "invalid_request") { $0.headers = [.init("Passgate-Deadline", "0")] },
            Mistake("a key that is none", "invalid_request") { $0.headers = [.init("Idempotency-Key", "a b")] },
        ]
    }

    @Test func aMistakeSendsNothingRecordsNothingAndSpendsNothing() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let pass = try phone.beginPass()
            let other = try SimulatedPhone(network: house.network).beginPass()
            let now = SandboxClock().now
            func send(_ order: Order) async throws -> GatewayAnswer {
                try await house.gateway.client.send(
                    .post, "/v1/cards/card_1/provisionings", SecretBytes(utf8: order.json), headers: order.headers)
            }
            for mistake in mistakes(with: pass, other: other, now: now) {
                var order = Order(pass, at: now)
                mistake.make(&order)
                let answer = try await send(order)
                #expect(answer.code == mistake.code, "\(mistake.name): \(answer.problemLine)")
                #expect(answer.json?["outcome"]?.string == "not_sent", "\(mistake.name)")
                #expect(answer.json?["provisioning"] == nil, "\(mistake.name)")
                if let pointer = mistake.pointer {
                    let pointers = answer.json?["errors"]?.elements?.compactMap { $0["pointer"]?.string } ?? []
                    #expect(pointers == [pointer], "\(mistake.name): \(pointers)")
                }
                #expect(house.sandbox.requestCount(of: "increase") == 0, "\(mistake.name)")
            }
            let list = try await house.gateway.client.send(.get, "/v1/provisionings")
            #expect(list.json?["data"]?.elements?.isEmpty == true)
            let answer = try await send(Order(pass, at: now))
            #expect(answer.status == 201, "the same handshake, without a mistake: \(answer.problemLine)")
            #expect(house.pushes().count == 1)
        }
    }
}
