import Crypto
import ImprintProvider
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing

@Suite("Imprint's webhooks")
struct ImprintWebhookTests {
    private static let secret = "signing-token-invented"
    private static let method = ImprintHarness.card.providerCardID
    private static let body = webhook()

    private static func webhook(
        _ tokens: String = "[]", updatedAt: String = "2026-11-30T11:59:59Z", status: String = "ACTIVE"
    ) -> String {
        """
        {"object":"PAYMENT_METHOD", "data":{"payment_method_id":"\(method)","previous_status":"ACTIVE",\
        "new_status":"\(status)","tokens":\(tokens),"updated_at":"\(updatedAt)"}}
        """
    }

    private func provider(secrets: [String] = [secret], keyForm: String = "utf8") throws -> ImprintProvider {
        let settings = TestSettings([
            ("api_key", .text(SecretText(ImprintHarness.apiKey))),
            ("webhook_secrets", .list(secrets.map { .text(SecretText($0)) })),
            ("webhook_key_form", .text(SecretText(keyForm))),
        ])
        let kit = AdapterKit.testing(ScriptedTransport(answers: []), cryptography: OpenSSLCryptography())
        return try #require(ImprintProvider(settings: settings.reader(), kit: kit))
    }

    private static func signature(_ time: String, _ body: String = body, key: SecretBytes = SecretBytes(utf8: secret))
        -> String
    {
        let code = HMACSHA256.code(key: key, of: [SecretBytes(utf8: "\(time).\(body)")])
        return Hexadecimal.encode(SecretBytes(code)).revealText() ?? ""
    }

    private static func delivery(_ header: String, _ body: String = body, after milliseconds: Int64 = 0)
        -> WebhookDelivery
    {
        WebhookDelivery(
            headers: [("x-imprint-hmac-signature", header)], body: SecretBytes(utf8: body),
            receivedAt: Timestamp(milliseconds: 1_796_040_000_000 + milliseconds))
    }

    private func refusal(_ delivery: WebhookDelivery, secrets: [String] = [secret], keyForm: String = "utf8") throws
        -> WebhookRefusal?
    {
        let provider = try provider(secrets: secrets, keyForm: keyForm)
        do throws(WebhookRefusal) {
            _ = try provider.verify(delivery)
            return nil
        } catch {
            return error
        }
    }

    /// Made with Python's `hmac` by hand: Imprint publishes no library.
    @Test func w01w07TheBytesOfAVectorAreVerifiedAsTheyAre() throws {
        let body = #"{"object":"CUSTOMER_LINK",  "data":{"a":1.0,"b":"\u00e9","c":"x/y"}}"#
        let header = "t=1796040000000,s=\(Self.vector)"
        let receipt = try provider().verify(Self.delivery(header, body))
        #expect(receipt.use == .keep && receipt.word == "CUSTOMER_LINK")
        #expect(try refusal(Self.delivery(header, body.replacing("  ", with: " "))) == .noMatch)
    }

    private static let vector = "65f16bfc6faec9146edc2a2a0c152a491d21dc21c4760f88a97bad73b361fc6b"

    @Test(arguments: [
        "s=SIG,t=1796040000000", "t=1796040000000, s=SIG", "a=b,t=1796040000000,s=00,s=SIG",
        " t=1796040000000 , s=SIG ",
    ])
    func w04MembersAreReadByName(_ form: String) throws {
        let header = form.replacing("SIG", with: Self.signature("1796040000000"))
        #expect(try refusal(Self.delivery(header)) == nil)
    }

    @Test(arguments: ["", "t=1796040000000", "s=SIG", "t=SIG,s=1796040000000", "t=1796040000000,v1=SIG"])
    func w04OtherFormsAreRefused(_ form: String) throws {
        let header = form.replacing("SIG", with: Self.signature("1796040000000"))
        #expect(try refusal(Self.delivery(header)) != nil)
    }

    @Test(arguments: ["utf8", "sha256", "sha256_hex"])
    func w11TheKeysFormIsTheConnections(_ form: String) throws {
        let digest = SecretBytes(SHA256.digest(of: Array(Self.secret.utf8)))
        let keys = [
            "utf8": SecretBytes(utf8: Self.secret), "sha256": digest, "sha256_hex": Hexadecimal.encode(digest),
        ]
        for (name, key) in keys {
            let header = "t=1796040000000,s=\(Self.signature("1796040000000", key: key))"
            let refusal = try refusal(
                Self.delivery(header), secrets: ["the-former-token", Self.secret], keyForm: form)
            #expect(refusal == (name == form ? nil : .noMatch))
        }
        #expect(try refusal(Self.delivery("t=1796040000000,s=00"), secrets: []) == .noSecret)
    }

    @Test(arguments: [(-300_001, false), (-300_000, true), (0, true), (300_000, true), (300_001, false)])
    func w12TheToleranceHasTwoSides(_ offset: Int64, _ isTaken: Bool) throws {
        let header = "t=1796040000000,s=\(Self.signature("1796040000000"))"
        #expect(try refusal(Self.delivery(header, after: -offset)) == (isTaken ? nil : .outsideTolerance))
    }

    @Test(arguments: ["abc", "", "1e12", " 1796040000000", "1796040000"])
    func w15ATimestampIsDigitsInMilliseconds(_ time: String) throws {
        #expect(try refusal(Self.delivery("t=\(time),s=\(Self.signature(time))")) != nil)
    }

    @Test func theContentTellsOneFromAnother() throws {
        func key(_ body: String, at time: String = "1796040000000") throws -> String {
            try provider().verify(Self.delivery("t=\(time),s=\(Self.signature(time, body))", body)).key
        }
        let token = #"[{"type":"APPLE_WALLET","token":"t1"}]"#
        let first = try key(Self.webhook())
        #expect(try key(Self.webhook(), at: "1796040000999") == first, "sent again, signed again")
        #expect(try key(Self.webhook().replacing(#","data"#, with: #", "data"#)) == first)
        let others = [
            Self.webhook(token), Self.webhook(updatedAt: "2026-11-30T12:00:00Z"), Self.webhook(status: "CANCELED"),
        ]
        #expect(Set(try others.map { try key($0) } + [first]).count == 4)
    }

    @Test func applesEntriesAreTold() async throws {
        let tokens = """
            [{"type":"ADYEN","token":"a"},{"type":"APPLE_WALLET","token":"t1","created_at":"2026-11-30T11:59:58Z"},
            {"type":"APPLE_WALLET","token":"t2"}]
            """
        let notice = try await provider().notice(
            in: SecretBytes(utf8: Self.webhook(tokens)), deadline: .now + .seconds(5))
        #expect(notice.tokens.map(\.id) == ["t1", "t2"] && notice.providerCardID == Self.method)
        #expect(notice.tokens.map(\.createdAt) == [Timestamp(seconds: 1_796_039_998), nil])
        #expect(notice.tokens.allSatisfy { $0.status == .unknown && $0.wallet == .applePay })
        #expect(notice.occurredAt == Timestamp(seconds: 1_796_039_999))
        for body in ["{}", "[]", #"{"data":{"tokens":[]}}"#] {
            let none = try await provider().notice(in: SecretBytes(utf8: body), deadline: .now + .seconds(5))
            #expect(none == WebhookNotice())
        }
    }

    /// Its digits pass for a card number, as those of one id in ten do.
    @Test func anEntryIsToldWhateverItsDigits() async throws {
        let tokens = """
            [{"type":"APPLE_WALLET","token":"SIMULATED378282246310005","pan_reference_id":"V-4111111111111111"}]
            """
        let notice = try await provider().notice(
            in: SecretBytes(utf8: Self.webhook(tokens)), deadline: .now + .seconds(5))
        #expect(notice.tokens.map(\.id) == ["SIMULATED378282246310005"])
        #expect(notice.tokens.first?.networkReference == "V-4111111111111111")
    }

    // MARK: Reading

    @Test func oneEntryIsReadWithItsPaymentMethod() async throws {
        let body = #"{"id":"\#(Self.method)","card":{"tokens":[{"type":"APPLE_WALLET","token":"t1"}]}}"#
        let provider = try ImprintHarness.provider(ScriptedTransport { _ in .answer(200, body) })
        let token = try await provider.token("t1", of: ImprintHarness.card, deadline: .now + .seconds(5))
        #expect(token.id == "t1" && token.providerCardID == Self.method && token.createdAt == nil)
        let all = try await provider.tokens(of: ImprintHarness.card, deadline: .now + .seconds(5))
        #expect(all == [token], "one without a date is listed too")
        let error = await #expect(throws: ProvisioningError.self) {
            try await provider.token("t2", of: ImprintHarness.card, deadline: .now + .seconds(5))
        }
        #expect(error?.code == .tokenNotFound)
    }

    @Test(arguments: [(#"{"data":{"payment_method_id":"A1"}}"#, "A1"), ("[]", nil)])
    func aWebhookSaysByItselfWhatItIsAbout(_ body: String, _ subject: String?) throws {
        let outline = try provider().outline(of: SecretBytes(utf8: body))
        #expect(outline == WebhookOutline(subject: subject, takesCall: false))
    }
}
