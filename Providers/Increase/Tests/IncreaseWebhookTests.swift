import Crypto
import IncreaseProvider
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing

@Suite("Increase's webhooks")
struct IncreaseWebhookTests {
    private static let secret = "invented_shared_secret_for_vectors"
    private static let body = #"{"id":"event_1","category":"digital_wallet_token.updated","type":"event"}"#

    private func provider(
        _ transport: any UpstreamTransport = ScriptedTransport(answers: []), secrets: [String] = [secret]
    ) throws -> IncreaseProvider {
        let settings = TestSettings([
            ("api_key", .text(SecretText(IncreaseHarness.apiKey))),
            ("webhook_secrets", .list(secrets.map { .text(SecretText($0)) })),
        ])
        let kit = AdapterKit.testing(transport, cryptography: OpenSSLCryptography())
        return try #require(IncreaseProvider(settings: settings.reader(), kit: kit))
    }

    private static func signature(_ time: String, id: String = "msg_1", secret: SecretBytes = SecretBytes(utf8: secret))
        -> String
    {
        Base64.encode(HMACSHA256.code(key: secret, of: [SecretBytes(utf8: "\(id).\(time).\(body)")]))
    }

    private static func delivery(
        _ time: String = "1796040000", id: String = "msg_1", signature: String? = nil, after seconds: Int64 = 0
    ) -> WebhookDelivery {
        WebhookDelivery(
            headers: [
                ("webhook-id", id), ("webhook-timestamp", time),
                ("webhook-signature", signature ?? "v1,\(Self.signature(time, id: id))"),
            ], body: SecretBytes(utf8: body), receivedAt: Timestamp(seconds: 1_796_040_000 + seconds))
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

    @Test func w07ThereAreVectorsByTheProcessorsOwnLibrary() { #expect(WebhookVector.all().count == 3) }

    /// The signature is the work of the library that Increase's own client verifies with.
    @Test(arguments: WebhookVector.all())
    func w01w03TheBytesOfTheVectorsAreVerifiedAsTheyAre(_ vector: WebhookVector) throws {
        let receipt = try provider().verify(vector.delivery())
        #expect(receipt.use == (vector.description == "odd_spacing" ? .read : .keep))
        var fields = vector.headers
        fields[0].value += "x"
        #expect(try refusal(vector.delivery(headers: fields)) == .noMatch, "the id is signed too")
    }

    @Test func w11TheSecretsOwnBytesAreTheKey() throws {
        let secret = Base64.encode(Array("invented bytes of a secret".utf8))
        let delivery = Self.delivery(
            signature: "v1,\(Self.signature("1796040000", secret: SecretBytes(utf8: secret)))")
        #expect(try refusal(delivery, secrets: ["another", secret]) == nil)
        let decoded = Self.signature("1796040000", secret: SecretBytes(Array("invented bytes of a secret".utf8)))
        #expect(try refusal(Self.delivery(signature: "v1,\(decoded)"), secrets: [secret]) == .noMatch)
        #expect(try refusal(delivery, secrets: []) == .noSecret)
    }

    @Test(arguments: ["v1,AAAA v1,SIG", "v1a,SIG v1,SIG", "v2,AAAA  v1,SIG "])
    func w04AnyOfSeveralSignaturesMayFit(_ form: String) throws {
        let field = form.replacing("SIG", with: Self.signature("1796040000"))
        #expect(try refusal(Self.delivery(signature: field)) == nil)
    }

    @Test(arguments: ["", "SIG", "v1=SIG", "v1a,SIG", "v2,SIG", "v1,", "v1,SIGA", "v1 SIG", "V1,SIG"])
    func w04OtherFormsAreRefused(_ form: String) throws {
        let field = form.replacing("SIG", with: Self.signature("1796040000"))
        #expect(try refusal(Self.delivery(signature: field)) != nil)
    }

    @Test func w06AHexadecimalDigestIsNotTaken() throws {
        let code = HMACSHA256.code(
            key: SecretBytes(utf8: Self.secret), of: [SecretBytes(utf8: "msg_1.1796040000.\(Self.body)")])
        let digits = Hexadecimal.encode(SecretBytes(code)).revealText() ?? ""
        #expect(try refusal(Self.delivery(signature: "v1,\(digits)")) == .noMatch)
    }

    @Test(arguments: [(-301, false), (-300, true), (0, true), (300, true), (301, false)])
    func w12TheToleranceHasTwoSides(_ offset: Int64, _ isTaken: Bool) throws {
        #expect(try refusal(Self.delivery(after: -offset)) == (isTaken ? nil : .outsideTolerance))
    }

    @Test(arguments: ["abc", "", "1e9", " 1796040000", "1796040000000", "-1796040000"])
    func w15ATimestampIsDigitsInSeconds(_ time: String) throws {
        #expect(try refusal(Self.delivery(time)) != nil)
    }

    @Test func oneEventThatComesTwiceHasOneKey() throws {
        let keys = try ["msg_1", "msg_2"].map { try provider().verify(Self.delivery(id: $0)).key }
        #expect(keys == ["event_1", "event_1"])
    }

    // MARK: What they name is fetched

    private static func event(_ id: String) -> SecretBytes {
        SecretBytes(
            utf8: #"{"id":"event_1","category":"digital_wallet_token.updated","associated_object_id":"\#(id)"}"#)
    }

    private func notice(_ id: String, _ answer: UpstreamResponse) async throws -> (WebhookNotice, [String]) {
        let transport = ScriptedTransport { _ in answer }
        let notice = try await provider(transport).notice(in: Self.event(id), deadline: .now + .seconds(5))
        return (notice, transport.requests.map(\.url))
    }

    @Test func aTokenIsFetchedWithTheCardThatItNowBelongsTo() async throws {
        let (notice, urls) = try await notice(
            "digital_wallet_token_1a",
            .answer(
                200,
                """
                {"id":"digital_wallet_token_1a","card_id":"card_new","created_at":"2026-11-30T12:00:00Z",
                "status":"suspended","token_requestor":"apple_pay","device":{"device_type":"watch","name":null},
                "dynamic_primary_account_number":{"first6":"489537","last4":"9341"},
                "token_reference_identifier":"DNITHE301"}
                """))
        #expect(urls == ["https://api.increase.com/digital_wallet_tokens/digital_wallet_token_1a"])
        #expect(notice.providerCardID == "card_new" && notice.occurredAt == nil, "it is as of the question")
        let token = try #require(notice.tokens.first)
        #expect(token.status == .suspended && token.device?.kind == "watch" && token.last4 == "9341")
        #expect(token.networkReference == "DNITHE301")
    }

    @Test func aRequestCountsWhereItWasDeclined() async throws {
        func answer(_ outcome: String) -> UpstreamResponse {
            .answer(
                200,
                """
                {"id":"digital_wallet_token_request_1","card_id":"card_1","created_at":"2026-11-30T12:00:00Z",
                "outcome":"\(outcome)","declined":{"reason":"card_not_active"},"token_requestor":"google_pay"}
                """)
        }
        let (notice, urls) = try await notice("digital_wallet_token_request_1", answer("declined"))
        #expect(urls == ["https://api.increase.com/digital_wallet_token_requests/digital_wallet_token_request_1"])
        let token = try #require(notice.tokens.first)
        #expect(token.status == .declined && token.rawStatus == "card_not_active" && token.wallet == .googlePay)
        #expect(try await self.notice("digital_wallet_token_request_1", answer("provisioned")).0 == WebhookNotice())
    }

    /// A token that was made just now need not be there yet.
    @Test(arguments: ["digital_wallet_token_1a", "digital_wallet_token_request_1"])
    func whatIsNotThereIsToldApart(_ id: String) async throws {
        let gone = UpstreamResponse.answer(404, #"{"type":"object_not_found_error","status":404}"#)
        let error = await #expect(throws: ProvisioningError.self) { try await notice(id, gone) }
        #expect(error?.code == .tokenNotFound)
    }

    @Test func whatIsNoIDIsNothingAndWhatFailsIsAskedForAgain() async throws {
        #expect(try await notice("../cards/card_1", .answer(200, "{}")).0 == WebhookNotice())
        await #expect(throws: ProvisioningError.self) {
            try await notice("digital_wallet_token_1a", .html(502, "Bad gateway"))
        }
    }

    @Test(arguments: [(#"{"associated_object_id":"digital_wallet_token_1"}"#, "digital_wallet_token_1"), ("[]", nil)])
    func whatAnEventNamesIsFetched(_ body: String, _ subject: String?) throws {
        let outline = try provider().outline(of: SecretBytes(utf8: body))
        #expect(outline == WebhookOutline(subject: subject, takesCall: true))
    }
}
