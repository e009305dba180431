import Crypto
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import StripeProvider
import Testing

@Suite("Stripe's webhooks")
struct StripeWebhookTests {
    private static let now = Timestamp(seconds: 1_796_040_000)
    private static let secret = "whsec_invented_for_vectors"
    private static let body = #"{"id":"evt_1","object":"event","type":"issuing_token.updated","created":1796039990}"#

    private func provider(
        _ transport: any UpstreamTransport = ScriptedTransport(answers: []), secrets: [String] = [secret]
    ) throws -> StripeProvider {
        let settings = TestSettings([
            ("secret_key", .text(SecretText(StripeHarness.secretKey))),
            ("webhook_secrets", .list(secrets.map { .text(SecretText($0)) })),
        ])
        let kit = AdapterKit.testing(transport, cryptography: OpenSSLCryptography())
        return try #require(StripeProvider(settings: settings.reader(), kit: kit))
    }

    private static func signature(_ time: String, _ body: String = body, secret: String = secret) -> String {
        let code = HMACSHA256.code(key: SecretBytes(utf8: secret), of: [SecretBytes(utf8: "\(time).\(body)")])
        return Hexadecimal.encode(SecretBytes(code)).revealText() ?? ""
    }

    private static func delivery(_ header: String?, _ body: String = body, at moment: Timestamp = now)
        -> WebhookDelivery
    {
        WebhookDelivery(
            headers: header.map { [("stripe-signature", $0)] } ?? [], body: SecretBytes(utf8: body),
            receivedAt: moment)
    }

    private func refusal(_ delivery: WebhookDelivery, secrets: [String] = [secret]) throws -> WebhookRefusal? {
        let provider = try provider(secrets: secrets)
        do throws(WebhookRefusal) {
            _ = try provider.verify(delivery)
            return nil
        } catch {
            return error
        }
    }

    @Test func w07ThereAreVectorsByTheProcessorsOwnLibrary() { #expect(WebhookVector.all().count == 4) }

    /// The header is the work of Stripe's own library.
    @Test(arguments: WebhookVector.all())
    func w01w03TheBytesOfTheVectorsAreVerifiedAsTheyAre(_ vector: WebhookVector) throws {
        let provider = try provider()
        let receipt = try provider.verify(vector.delivery())
        #expect(receipt.use == (vector.description == "odd_spacing" ? .read : .keep))
        if vector.description == "odd_spacing" { #expect(receipt.key == "evt_1Vector") }
    }

    @Test func w01ABodyThatWasWrittenAnewIsRefused() throws {
        let spaced = #"{"id":"evt_1", "a":1.0,"b":"\u00e9","c":"x/y"}"#
        let header = "t=1796040000,v1=\(Self.signature("1796040000", spaced))"
        #expect(try refusal(Self.delivery(header, spaced)) == nil)
        for other in [#"{"id":"evt_1","a":1.0,"b":"é","c":"x/y"}"#, #"{"id":"evt_1","a":1,"b":"\u00e9","c":"x\/y"}"#] {
            #expect(try refusal(Self.delivery(header, other)) == .noMatch)
        }
    }

    @Test(arguments: [
        "v1=SIG,t=1796040000", "t=1796040000, v1=SIG", " t=1796040000 ,v1=SIG ", "v0=00,t=1796040000,v1=SIG,x=y",
        "t=1796040000,v1=00,v1=SIG", "t=1796040000,v1=nonsense,v1=SIG,v1=", "t=1796040000,t=1796040000,v1=SIG",
        "junk,,=,t=1796040000,v1=SIG",
    ])
    func w04MembersAreReadByName(_ form: String) throws {
        let header = form.replacing("SIG", with: Self.signature("1796040000"))
        #expect(try refusal(Self.delivery(header)) == nil)
    }

    @Test(arguments: [
        "", "t=1796040000", "v1=SIG", "t=1796040000,v0=SIG", "t=1796040000,v1=", "T=1796040000,V1=SIG",
        "t=1796040000,v1=SIG1", "t=1796040000,t=1796040001,v1=SIG", "SIG", "t=1796040000;v1=SIG",
    ])
    func w04OtherFormsAreRefused(_ form: String) throws {
        let header = form.replacing("SIG", with: Self.signature("1796040000"))
        #expect(try refusal(Self.delivery(header)) != nil)
    }

    @Test func w04TwoFieldsOrAFloodOfSignaturesAreRefused() throws {
        let header = "t=1796040000,v1=\(Self.signature("1796040000"))"
        let twice = WebhookDelivery(
            headers: [("stripe-signature", header), ("stripe-signature", header)], body: SecretBytes(utf8: Self.body),
            receivedAt: Self.now)
        #expect(try refusal(twice) == .malformed)
        #expect(try refusal(Self.delivery(nil)) == .malformed)
        let many = header + String(repeating: ",v1=" + String(repeating: "0", count: 64), count: 40)
        #expect(try refusal(Self.delivery(many)) == .malformed)
    }

    @Test func w06ADigestIsNeverReadAsBase64() throws {
        let code = HMACSHA256.code(
            key: SecretBytes(utf8: Self.secret), of: [SecretBytes(utf8: "1796040000.\(Self.body)")])
        #expect(try refusal(Self.delivery("t=1796040000,v1=\(Base64.encode(code))")) != nil)
    }

    @Test func w09WithoutASecretNothingIsVerified() throws {
        let empty = "t=1796040000,v1=\(Self.signature("1796040000", secret: ""))"
        #expect(try refusal(Self.delivery(empty), secrets: []) == .noSecret)
        for blank in ["", " "] {
            let settings = TestSettings([
                ("secret_key", .text(SecretText(StripeHarness.secretKey))),
                ("webhook_secrets", .list([.text(SecretText(blank))])),
            ])
            let provider = StripeProvider(
                settings: settings.reader(),
                kit: .testing(ScriptedTransport(answers: []), cryptography: OpenSSLCryptography()))
            #expect(settings.problems.contains { $0.contains("webhook_secrets[0]: is empty") })
            #expect(throws: WebhookRefusal.noSecret) { try provider?.verify(Self.delivery(empty)) }
        }
    }

    @Test func w11EitherSecretFitsWhileOneReplacesTheOther() throws {
        for secret in ["whsec_new", "whsec_old"] {
            let header = "t=1796040000,v1=\(Self.signature("1796040000", secret: secret))"
            #expect(try refusal(Self.delivery(header), secrets: ["whsec_new", "whsec_old"]) == nil)
        }
        let key = "t=1796040000,v1=\(Self.signature("1796040000", secret: "new"))"
        #expect(try refusal(Self.delivery(key), secrets: ["whsec_new"]) == .noMatch)
    }

    @Test(arguments: [(-301, false), (-300, true), (0, true), (300, true), (301, false)])
    func w12TheToleranceHasTwoSides(_ offset: Int64, _ isTaken: Bool) throws {
        let header = "t=1796040000,v1=\(Self.signature("1796040000"))"
        for fraction in [0, 456] as [Int64] {
            let moment = Self.now.adding(milliseconds: -offset * 1000 + fraction)
            let refusal = try refusal(Self.delivery(header, at: moment))
            #expect(refusal == (isTaken ? nil : .outsideTolerance))
        }
    }

    @Test(arguments: [
        "abc", "", "1e9", " 1796040000", "1796040000.0", "+1796040000", "-1", "0x6b", "１７９６０４００００", "NaN",
        "1796040000000", "99999999999999999999",
    ])
    func w15ATimestampIsDigitsInSeconds(_ time: String) throws {
        let header = "t=\(time),v1=\(Self.signature(time))"
        #expect(try refusal(Self.delivery(header)) != nil)
    }

    @Test func whatIsNotOfTheEndpointIsToldApart() throws {
        let bodies: [(String, WebhookReceipt.Use, String?)] = [
            (Self.body, .read, "evt_1"),
            (#"{"id":"evt_2","object":"event","type":"issuing_token.created"}"#, .read, "evt_2"),
            (#"{"id":"evt_3","object":"event","type":"issuing_card.updated"}"#, .keep, "evt_3"),
            (#"{"id":"evt_4","object":"v2.core.event","type":"v1.issuing_token.created"}"#, .ignore, "evt_4"),
            (#"{"id":"evt 5","object":"event"}"#, .keep, nil), ("[]", .keep, nil), ("not json", .keep, nil),
        ]
        for (body, use, key) in bodies {
            let header = "t=1796040000,v1=\(Self.signature("1796040000", body))"
            let receipt = try provider().verify(Self.delivery(header, body))
            #expect(receipt.use == use)
            if let key { #expect(receipt.key == key) } else { #expect(receipt.key.hasPrefix("sha256_")) }
        }
    }

    // MARK: What they say

    private static func event(_ type: String, _ members: String = #""status":"active""#) -> SecretBytes {
        SecretBytes(
            utf8: """
                {"id":"evt_1","object":"event","type":"\(type)","created":1796039990,"data":{"object":\
                {"id":"intok_1","object":"issuing.token","card":"ic_1","created":1796039980,"last4":"9341",\
                "wallet_provider":"apple_pay",\(members)}}}
                """)
    }

    private func notice(_ body: SecretBytes, _ transport: ScriptedTransport) async throws -> WebhookNotice {
        try await provider(transport).notice(in: body, deadline: .now + .seconds(5))
    }

    @Test func aNewTokensDeviceIsFetchedAtOnce() async throws {
        let transport = ScriptedTransport { _ in
            .answer(
                200,
                """
                {"id":"intok_1","object":"issuing.token","card":"ic_1","created":1796039980,"status":"active",
                "network_data":{"device":{"name":"Zoë's phone","type":"phone"},"type":"visa",
                "visa":{"token_reference_id":"DNITHE301"}}}
                """)
        }
        let notice = try await notice(Self.event("issuing_token.created", #""status":"requested""#), transport)
        let url = try #require(transport.requests.first?.url)
        #expect(url == "https://api.stripe.com/v1/issuing/tokens/intok_1?expand%5B%5D=network_data")
        let token = try #require(notice.tokens.first)
        #expect(token.status == .requested, "the event's own word counts")
        #expect(token.device == TokenDevice(kind: "phone", name: "Zoë's phone"))
        #expect(token.networkReference == "DNITHE301" && token.last4 == "9341")
        #expect(notice.providerCardID == "ic_1" && notice.occurredAt == Timestamp(seconds: 1_796_039_990))
    }

    @Test func whereItCannotBeFetchedTheEventSaysEnough() async throws {
        let transport = ScriptedTransport { _ in .html(502, "Bad gateway") }
        let notice = try await notice(Self.event("issuing_token.created"), transport)
        #expect(notice.tokens.map(\.status) == [.active] && notice.tokens.first?.device == nil)
    }

    @Test func anUpdateNeedsNoCall() async throws {
        let transport = ScriptedTransport(answers: [])
        let updated = try await notice(Self.event("issuing_token.updated", #""status":"hibernating""#), transport)
        #expect(updated.tokens.map(\.status) == [.unknown] && updated.tokens.map(\.rawStatus) == ["hibernating"])
        for body in ["{}", "[]", #"{"data":{"object":{"id":"intok_1"}}}"#] {
            #expect(try await notice(SecretBytes(utf8: body), transport) == WebhookNotice())
        }
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        (#"{"type":"issuing_token.created","data":{"object":{"id":"intok_1"}}}"#, "intok_1", true),
        (#"{"type":"issuing_token.updated","data":{"object":{"id":"intok_1"}}}"#, "intok_1", false), ("{}", nil, false),
    ])
    func onlyANewTokenIsAskedAbout(_ body: String, _ subject: String?, _ takesCall: Bool) throws {
        let outline = try provider().outline(of: SecretBytes(utf8: body))
        #expect(outline == WebhookOutline(subject: subject, takesCall: takesCall))
    }
}
