import CheckoutProvider
import Crypto
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing

@Suite("Checkout.com's webhooks and digital cards")
struct CheckoutWebhookTests {
    private static let secret = "signature-key-invented"
    private static let card = CheckoutHarness.card.providerCardID
    private static let digitalCard = "dcr_5ngxzsynm2me3oxf73esbhda6q"

    private static func signature(_ body: String, secret: String = secret) -> String {
        let code = HMACSHA256.code(key: SecretBytes(utf8: secret), of: [SecretBytes(utf8: body)])
        return Hexadecimal.encode(SecretBytes(code)).revealText() ?? ""
    }

    private static func event(_ type: String, _ members: String, id: String = "evt_1") -> String {
        """
        {"id":"\(id)","type":"\(type)","version":"2.0.0","created_on":"2026-11-30T11:59:59.5Z",
        "data":{"card_id":"\(card)",\(members)}}
        """
    }

    private func refusal(_ field: String?, _ body: String) throws -> WebhookRefusal? {
        let provider = try CheckoutHarness.provider()
        do throws(WebhookRefusal) {
            _ = try provider.verify(
                WebhookDelivery(
                    headers: field.map { [("cko-signature", $0)] } ?? [], body: SecretBytes(utf8: body),
                    receivedAt: Timestamp(seconds: 0)))
            return nil
        } catch {
            return error
        }
    }

    /// Made with Python's `hmac` by hand: Checkout.com's library signs nothing.
    @Test func w01w07TheBytesOfAVectorAreVerifiedAsTheyAre() throws {
        let body = #"{"id":"evt_vector",  "a":1.0,"b":"\u00e9","c":"x/y"}"#
        #expect(try refusal("0c234b439253d7cb080646ec9060c8a3298852cfb9c462f3fff3769563a47a44", body) == nil)
        #expect(
            try refusal(
                "0c234b439253d7cb080646ec9060c8a3298852cfb9c462f3fff3769563a47a44", body.replacing("  ", with: " "))
                == .noMatch)
        #expect(
            try refusal("0c234b439253d7cb080646ec9060c8a3298852cfb9c462f3fff3769563a47a44".uppercased(), body) == nil)
    }

    @Test func w03AFormIsVerifiedAsItIs() throws {
        let body = "a=1&b=%C3%A9"
        #expect(try refusal(Self.signature(body), body) == nil)
    }

    @Test func w04w06OtherFormsAreRefused() throws {
        let body = Self.event("digital_card_deleted", #""status":"deleted""#)
        let code = HMACSHA256.code(key: SecretBytes(utf8: Self.secret), of: [SecretBytes(utf8: body)])
        let whole = Self.signature(body)
        for field in [nil, "", "v1=\(whole)", "\(whole) ", String(whole.dropLast()), "\(whole)00", Base64.encode(code)]
        {
            #expect(try refusal(field, body) != nil)
        }
        #expect(try refusal(Self.signature(body, secret: ""), body) == .noMatch)
    }

    /// There is no window: a retry comes up to a day later, and its id alone tells that it came before.
    @Test func w13ADeliveryHasItsIdAtAnyTime() throws {
        let body = Self.event("digital_card_deleted", #""status":"deleted""#)
        let keys = try [0, 1_796_040_000, 4_000_000_000].map { seconds in
            try CheckoutHarness.provider().verify(
                WebhookDelivery(
                    headers: [("cko-signature", Self.signature(body))], body: SecretBytes(utf8: body),
                    receivedAt: Timestamp(seconds: seconds)))
        }
        #expect(Set(keys.map(\.key)) == ["evt_1"] && keys.allSatisfy { $0.use == .read })
    }

    // MARK: What they say

    private func notice(_ type: String, _ members: String) async throws -> WebhookNotice {
        try await CheckoutHarness.provider().notice(
            in: SecretBytes(utf8: Self.event(type, members)), deadline: .now + .seconds(5))
    }

    @Test(
        arguments: [
            ("digital_card_provisioned", #""status":"active","provisioned_on":"2026-11-30T11:59:58Z""#, .active),
            ("digital_card_provisioned", #""status":"active","reprovisioned_on":"2026-11-30T11:59:58Z""#, .active),
            ("digital_card_reprovisioned", #""status":"active","reprovisioned_on":"2026-11-30T11:59:58Z""#, .active),
            ("digital_card_provisioned", #""status":"dozing","provisioned_on":"2026-11-30T11:59:58Z""#, .unknown),
            ("digital_card_provisioned", #""x":1"#, .unknown), ("digital_card_pending", #""x":1"#, .requested),
            ("digital_card_not_provisioned", #""x":1"#, .declined), ("digital_card_deleted", #""x":1"#, .deleted),
        ] as [(String, String, TokenStatus)])
    func everyTypeHasItsState(_ type: String, _ members: String, _ status: TokenStatus) async throws {
        let notice = try await notice(type, #""digital_card_id":"\#(Self.digitalCard)",\#(members)"#)
        let token = try #require(notice.tokens.first)
        #expect(token.id == Self.digitalCard && token.status == status)
        #expect(notice.providerCardID == Self.card)
        #expect(notice.occurredAt == Timestamp(milliseconds: 1_796_039_999_500))
        let isDated = members.contains("provisioned_on")
        #expect(token.createdAt == Timestamp(milliseconds: isDated ? 1_796_039_998_000 : 1_796_039_999_500))
    }

    @Test(
        arguments: [
            (#"{"name":"APPLE PAY","id":"x"}"#, .applePay), (#"{"name":"Google Pay"}"#, .googlePay),
            (#"{"name":"SAMSUNG_PAY"}"#, .samsungPay), (#"{"id":"50110030273"}"#, .applePay),
            (#"{"name":"Fitbit Pay","id":"40010077056"}"#, nil), ("null", nil),
        ] as [(String, Wallet?)])
    func theRequestorTellsTheWallet(_ requestor: String, _ wallet: Wallet?) async throws {
        let notice = try await notice(
            "digital_card_provisioned",
            #""digital_card_id":"\#(Self.digitalCard)","status":"active","requestor":\#(requestor)"#)
        #expect(notice.tokens.map(\.wallet) == [wallet])
    }

    @Test func aCardThatWasNotProvisionedMayHaveNoIdOfItsOwn() async throws {
        let notice = try await notice("digital_card_not_provisioned", #""reason":"blocked""#)
        #expect(notice.tokens.map(\.id) == ["evt_1"] && notice.tokens.map(\.status) == [.declined])
    }

    @Test func whatIsNoDigitalCardsIsKeptAndNotRead() async throws {
        let body = Self.event("card_activated", #""x":1"#)
        let receipt = try CheckoutHarness.provider().verify(
            WebhookDelivery(
                headers: [("cko-signature", Self.signature(body))], body: SecretBytes(utf8: body),
                receivedAt: Timestamp(seconds: 0)))
        #expect(receipt.use == .keep && receipt.word == "card_activated")
        #expect(try await notice("card_activated", #""x":1"#) == WebhookNotice())
    }

    // MARK: Reading one

    private func read(_ answers: [UpstreamResponse], id: String = digitalCard) async throws -> (TokenSighting, [String])
    {
        let transport = ScriptedTransport(answers: answers.map { .success($0) })
        let token = try await CheckoutHarness.provider(transport).token(
            id, of: CheckoutHarness.card, deadline: .now + .seconds(5))
        return (token, transport.requests.map(\.url))
    }

    @Test func aDigitalCardIsReadWithAnAccessToken() async throws {
        let body = """
            {"id":"\(Self.digitalCard)","card_id":"\(Self.card)","status":"inactive","last_four":"1288",
            "requestor":{"name":"APPLE PAY"},"device":{"type":"iwatch","device_name":"Zoë's watch"},
            "scheme_card_id":"MCC0001","provisioned_on":"2026-11-30T11:59:58.25Z"}
            """
        let (token, urls) = try await read([CheckoutHarness.tokenAnswer(), .answer(200, body)])
        #expect(urls.last == "https://invented.api.checkout.com/issuing/digital-cards/\(Self.digitalCard)")
        #expect(token.status == .requested && token.rawStatus == "inactive" && token.wallet == .applePay)
        #expect(token.device == TokenDevice(kind: "iwatch", name: "Zoë's watch"))
        #expect(token.createdAt == Timestamp(milliseconds: 1_796_039_998_250))
        #expect(token.last4 == nil, "the card's digits are not the token's")
    }

    @Test func aMissingOneIsNoMissingCard() async throws {
        let error = await #expect(throws: ProvisioningError.self) {
            try await read([CheckoutHarness.tokenAnswer(), .answer(404, "")])
        }
        #expect(error?.code == .tokenNotFound)
        for id in ["..", "dcr_short", "crd_fa6psq242dcd6fdn5gifcq1491"] {
            let error = await #expect(throws: ProvisioningError.self) { try await read([], id: id) }
            #expect(error?.code == .tokenNotFound && error?.outcome == .notSent)
        }
    }

    @Test(arguments: [(#"{"data":{"digital_card_id":"dcr_1"}}"#, "dcr_1"), ("[]", nil)])
    func anEventSaysByItselfWhatItIsAbout(_ body: String, _ subject: String?) throws {
        let outline = try CheckoutHarness.provider().outline(of: SecretBytes(utf8: body))
        #expect(outline == WebhookOutline(subject: subject, takesCall: false))
    }
}
