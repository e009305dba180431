import CheckoutEmulator
import ProviderKit
import ProviderTesting
import Sandbox
import SecretMemory
import Testing

/// How access tokens are given, and what they open.
struct EmulatorAccessTests {
    let fixture = EmulatorFixture()

    @Test func theClientGetsATokenByFormOrBasicOrBoth() async {
        let basic =
            "Basic " + Base64.encode(Array("\(CheckoutEmulator.clientID):\(CheckoutEmulator.clientSecret)".utf8))
        let answers = [
            await fixture.grant(), await fixture.grant("grant_type=client_credentials", authorization: basic),
            await fixture.grant(authorization: basic),
        ]
        for answer in answers {
            #expect(answer.status == 200 && answer.json?["token_type"]?.string == "Bearer")
            #expect(answer.json?["expires_in"]?.integer == 3600)
        }
        #expect(Set(answers.map { $0.json?["access_token"]?.string }).count == 3)
    }

    @Test(arguments: [
        ("", "unsupported_grant_type"), ("grant_type=password", "unsupported_grant_type"),
        ("grant_type=client_credentials", "invalid_client"),
        ("grant_type=client_credentials&grant_type=client_credentials", "invalid_request"),
        (EmulatorFixture.form(secret: "other"), "invalid_client"),
        (EmulatorFixture.form(scope: "issuing:card-management-read%20vault"), "invalid_scope"),
        ("%", "invalid_request"),
    ])
    func whatIsWrongIsNamed(_ form: String, _ error: String) async {
        let answer = await fixture.grant(form)
        #expect(answer.status == 400 && answer.json?["error"]?.string == error)
    }

    @Test func theFormIsAForm() async {
        for type in [nil, "application/json", "multipart/form-data"] {
            #expect(await fixture.grant(contentType: type).json?["error"]?.string == "invalid_request")
        }
        let both = await fixture.grant(authorization: "Basic bm9ib2R5")
        #expect(both.json?["error"]?.string == "invalid_client")
        #expect(await fixture.send("GET", "/connect/token").status == 405)
    }

    @Test func aTokenEndsAndCoversItsScopesAlone() async throws {
        let path = "/issuing/cards/\(EmulatorFixture.card("ok"))"
        let token = try #require(await fixture.grant().json?["access_token"]?.string)
        let headers = [(name: "authorization", value: "Bearer \(token)")]
        #expect(await fixture.send("GET", path, headers: headers).status == 200)
        fixture.clock.advance(milliseconds: 3_600_000)
        #expect(await fixture.send("GET", path, headers: headers).status == 401)
        #expect(try await fixture.get(path).status == 200)
        #expect(try await fixture.get(path, scope: "issuing:card-mgmt").status == 200)
        let writer = try await fixture.get(path, scope: "issuing:card-management-write")
        #expect(writer.status == 403 && writer.json?["error_codes"]?.elements?.count == 1)
        #expect(writer.json?["request_id"]?.string == writer.header("cko-request-id"))
        for header in ["Bearer other", "Basic \(token)", token, "Bearer "] {
            let answer = await fixture.send("GET", path, headers: [("authorization", header)])
            #expect(answer.status == 401 && answer.text.isEmpty && answer.header("cko-request-id") != nil)
        }
        fixture.emulator.reset()
        #expect(await fixture.send("GET", path, headers: headers).status == 401)
    }
}
