import JSON
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import StripeProvider
import Testing

@Suite("What Stripe answers")
struct StripeAnswerTests {
    private func key(_ body: String, _ status: Int = 200) async throws -> StripeEphemeralKey {
        let provider = try StripeHarness.provider(ScriptedTransport { _ in .answer(status, body) })
        guard case .stripeEphemeralKey(let key) = try await provider.provision(try StripeHarness.request()) else {
            throw Violation("no key")
        }
        return key
    }

    private func failure(_ body: String, _ status: Int = 200) async throws -> ProvisioningError {
        let error = await #expect(throws: ProvisioningError.self) { try await key(body, status) }
        return try #require(error)
    }

    /// S06: the SDK needs the whole object, so nothing of it is altered: no member, no order, no space.
    @Test(arguments: [
        #"{"id":"ephkey_1","object":"ephemeral_key","associated_objects":[{"id":"ic_1","type":"issuing.card"}],"created":1,"expires":3601,"livemode":true,"secret":"ek_1"}"#,
        "{\n  \"secret\" : \"ek_1\",\r\n\t\"object\":\"ephemeral_key\",\n  \"expires\": 3601\n}\n",
        "  {\"object\":\"ephemeral_key\",\"secret\":\"ek_\\u0031\",\"expires\":3.601e3,\"z\":[1.0,1E2,-0,null],\"a\":{\"\":\"\\/\"}} ",
        "{\"unheard_of\":{\"secret\":null},\"object\":\"ephemeral_key\",\"secret\":\"é😀\",\"expires\":3601}",
    ])
    func s06TheKeyIsHandedOnByteForByte(_ body: String) async throws {
        let key = try await key(body)
        #expect(key.ephemeralKey.reveal() == Array(body.utf8))
        #expect(key.apiVersion == "2020-08-27")
        #expect(key.providerCardID == "ic_1GWQp6Invented")
        #expect(key.expiresAt == Timestamp(seconds: 3601))
        var json = JSONWriter()
        json.object { json in json.member("ephemeral_key", verbatim: key.ephemeralKey) }
        let member = try JSONParser().parse(json.finish()).root["ephemeral_key"]
        #expect(member?["object"]?.string == "ephemeral_key")
    }

    @Test(arguments: ["", #","expires":null"#, #","expires":"soon""#, #","expires":-1"#, #","expires":1e18"#])
    func withoutAnEndThatIsATimeTheKeyHasNone(_ members: String) async throws {
        let key = try await key(#"{"object":"ephemeral_key","secret":"ek_1"\#(members)}"#)
        #expect(key.expiresAt == nil)
    }

    @Test(arguments: [
        "{}", "[]", "null", #""ek_1""#, #"[{"object":"ephemeral_key","secret":"ek_1"}]"#,
        #"{"object":"ephemeral_key"}"#, #"{"object":"ephemeral_key","secret":null}"#,
        #"{"object":"ephemeral_key","secret":""}"#, #"{"object":"ephemeral_key","secret":7}"#,
        #"{"object":"ephemeral_key","secret":{"value":"ek_1"}}"#, #"{"secret":"ek_1"}"#,
        #"{"object":"customer","secret":"ek_1"}"#, #"{"object":["ephemeral_key"],"secret":"ek_1"}"#,
        #"{"data":{"object":"ephemeral_key","secret":"ek_1"}}"#,
        #"{"object":"ephemeral_key","secret":"ek_1"}{"object":"ephemeral_key","secret":"ek_2"}"#,
        #"{"object":"ephemeral_key","secret":"ek_1""#, #"{"object":"ephemeral_key","secret":"ek_1",}"#,
        "\u{feff}{\"object\":\"ephemeral_key\",\"secret\":\"ek_1\"}",
    ])
    func whatIsNoKeyBreaksTheContract(_ body: String) async throws {
        let error = try await failure(body)
        #expect(error.code == .providerContractViolation)
        #expect(error.outcome == .unknown)
    }

    /// S08: an error where a key was expected is a failure, whatever its status says.
    @Test func s08AnErrorIsNeverTakenForAKey() async throws {
        let body = #"{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No such card."}}"#
        let inside = try await failure(body)
        #expect(inside.code == .providerContractViolation)
        #expect(inside.upstream == UpstreamReport(status: 200, code: "resource_missing"))
        #expect(try await failure(body, 400).code == .providerCardNotFound)
    }
}
