import ImprintEmulator
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// What the emulator takes and refuses, whatever the payment method.
struct EmulatorRulesTests {
    let fixture = EmulatorFixture()

    @Test func credentialsAreTakenInThreeForms() async {
        let key = Base64.encode(Array("\(ImprintEmulator.apiKey):".utf8))
        let pair = Base64.encode(Array(ImprintEmulator.apiKeyPair.utf8))
        for form in ["Bearer \(ImprintEmulator.apiKey)", "Basic \(key)", "Basic \(pair)"] {
            #expect(await fixture.read(authorization: form).status == 200)
        }
    }

    @Test(arguments: [
        nil, "Bearer other", "bearer \(ImprintEmulator.apiKey)", "Bearer  \(ImprintEmulator.apiKey)",
        "Basic \(ImprintEmulator.apiKey)", "Basic \(Base64.encode(Array(ImprintEmulator.apiKey.utf8)))",
        "Bearer \(ImprintEmulator.apiKeyPair)", ImprintEmulator.apiKey,
    ])
    func otherCredentialsAreRefused(_ authorization: String?) async {
        let answer = await fixture.read(authorization: authorization)
        #expect(answer.status == 401 && answer.type == "AUTHENTICATION_ERROR")
    }

    @Test func theMerchantIsItsOwnOrUnnamed() async {
        #expect(await fixture.read(merchant: [ImprintEmulator.merchantKey]).status == 200)
        for merchant in [["other"], [ImprintEmulator.merchantKey, ImprintEmulator.merchantKey]] {
            let answer = await fixture.read(merchant: merchant)
            #expect(answer.status == 400 && answer.type == "INVALID_REQUEST_ERROR")
        }
    }

    @Test func aPaymentMethodShowsWhatThePartnerMustDrop() async {
        let answer = await fixture.read()
        #expect(answer.json?["status"]?.string == "ACTIVE" && answer.json?["type"]?.string == "CARD")
        let details = answer.json?["card"]?["pci_details"]
        #expect(details?["pan"]?.string == ImprintEmulator.cardNumber)
        #expect(details?["cvv"]?.string == ImprintEmulator.cardCode)
    }

    /// Each place has its own shape of error.
    @Test func theFourShapesAreWhereTheyBelong() async {
        let read = await fixture.read("0CA4DFFF-0000-4000-8000-000000000001")
        #expect(read.status == 404 && read.json?["type"]?.string == "INVALID_REQUEST_ERROR")
        #expect(read.json?["error"] == nil && read.json?["param"]?.string == "payment_method_id")
        let call = await fixture.google("0CA4DFFF-0000-4000-8000-000000000001")
        #expect(call.status == 404 && call.code == "payment_method_not_found")
        let inactive = await fixture.google("0CA4D001-0000-4000-8000-000000000001")
        #expect(inactive.status == 400 && inactive.type == "INVALID_REQUEST_ERROR")
        let framework = await fixture.google(body: "{")
        #expect(framework.status == 400 && framework.json?["error"]?.string == "Bad Request")
        #expect(framework.json?["status"]?.integer == 400)
    }

    @Test(arguments: [
        "0ca4d000-0000-4000-8000-000000000001", "0CA4D000", "0CA4D000-0000-4000-8000-00000000000",
        "0CA4D000-0000-4000-8000-00000000000G",
    ])
    func onlyUpperCaseUUIDsAreKnown(_ id: String) async { #expect(await fixture.read(id).status == 404) }

    @Test(arguments: ["samsung_pay", "apple", "APPLE_PAY"])
    func anotherWalletIsUnsupported(_ wallet: String) async {
        let answer = await fixture.provision(SecretBytes(utf8: "{}"), wallet: wallet)
        #expect(answer.status == 400 && answer.code == "wallet_unsupported")
    }

    @Test(arguments: [nil, "text/plain", "application/x-www-form-urlencoded"])
    func aBodyMustSayThatItIsJSON(_ contentType: String?) async {
        let body = SecretBytes(utf8: #"{"wallet_id":"w","device_id":"d"}"#)
        let answer = await fixture.provision(body, wallet: "google_pay", contentType: contentType)
        #expect(answer.status == 415 && answer.json?["error"]?.string == "Unsupported Media Type")
    }

    @Test(arguments: [
        ("GET", "/"), ("GET", "/v2/payment_methods"), ("GET", "/v1/payment_methods/\(EmulatorFixture.id())"),
        ("DELETE", "/v2/payment_methods/\(EmulatorFixture.id())"),
        ("GET", "/v2/payment_methods/\(EmulatorFixture.id())/provision/apple_pay"),
    ])
    func unknownRoutesAreTheFrameworks(_ method: String, _ path: String) async {
        let headers = [(name: "authorization", value: EmulatorFixture.authorization)]
        let answer = await fixture.send(EmulatedRequest(method: method, path: path, headers: headers))
        #expect(answer.status == 404 && answer.json?["error"]?.string == "Not Found")
    }

    @Test(arguments: [
        (#"{"wallet_id":"w"}"#, "device_id is required"), (#"{"device_id":"d"}"#, "wallet_id is required"),
        (#"{"wallet_id":"","device_id":"d"}"#, "wallet_id must not be empty"),
        (#"{"wallet_id":1,"device_id":"d"}"#, "wallet_id must be a string"),
        (#"{"wallet_id":"w","device_id":"d","server_session_id":"s"}"#, "server_session_id is not a known member"),
        ("[]", "the body must be an object"),
    ])
    func googlesIDsAreReadStrictly(_ body: String, _ message: String) async {
        let answer = await fixture.google(body: body)
        #expect(answer.status == 400 && answer.code == "invalid_request" && answer.message == message)
    }

    /// Imprint rejects raw bytes, and whatever else is not base64.
    @Test(arguments: [
        (#"{"certificates":["AAAA","AAAA"],"nonce":"fbefbe00ff1","nonce_signature":"AAAA"}"#, "nonce "),
        (#"{"certificates":["AAAA","AAAA"],"nonce":"----AP8Q","nonce_signature":"AAAA"}"#, "nonce "),
        (#"{"certificates":["AAAA","AAAA"],"nonce":"AAAA","nonce_signature":"AA"}"#, "nonce_signature "),
        (#"{"certificates":["AAAA","AA\nAA"],"nonce":"AAAA","nonce_signature":"AAAA"}"#, "certificates.1 "),
        (#"{"certificates":"AAAA","nonce":"AAAA","nonce_signature":"AAAA"}"#, "certificates "),
        (#"{"certificates":["AAAA","AAAA"],"nonce":"AAAA","nonce_signature":"AAAA","encoding":"base64"}"#, "encoding "),
    ])
    func whatIsNotBase64IsRefused(_ body: String, _ beginning: String) async {
        let answer = await fixture.provision(SecretBytes(utf8: body), wallet: "apple_pay")
        #expect(answer.status == 400 && answer.code == "invalid_request" && answer.message.hasPrefix(beginning))
    }

    /// Google's ids may be sent again, as the page says.
    @Test func googleGivesACardForTheDeviceEachTime() async throws {
        for _ in 0..<2 {
            let answer = await fixture.google()
            let payload = try #require(answer.json?["provisioning_payload"])
            #expect(answer.json?["wallet"]?.string == "google_pay" && payload["network"]?.string == "VISA")
            #expect(payload["wallet_type"]?.string == "GOOGLE_PAY")
            let card = try #require(payload["opaque_payment_card"]?.secretText)
            #expect(try fixture.network.open(card, as: .tokenServiceProvider).cardLast4 == "4242")
        }
    }
}
