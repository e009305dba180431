import Crypto
import JSON
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Sandbox
import SecretMemory
import Testing
import ThalesEmulator
import ThalesProvider

/// The emulated SDK shows the emulated Thales what the adapter made.
@Suite("The emulated Thales")
struct EmulatorThalesTests {
    let clock = FixedClock()
    let emulator: ThalesEmulator

    init() { emulator = ThalesEmulator(json: JSONParser(), clock: clock) }

    private var files: [String: String] {
        Dictionary(uniqueKeysWithValues: emulator.connection(at: "").files.map { ($0.name, $0.contents) })
    }

    /// An adapter with the emulator's onboarding, unless told otherwise, and with its vault.
    private func provider(
        issuerID: String = "SIMISSUER1", keyID: String = "simulated-issuer-key-1", key: String? = nil,
        certificate: String? = nil, more: [(key: String, value: SettingValue)] = []
    ) throws -> ThalesProvider {
        let values: [(key: String, value: SettingValue)] = [
            ("issuer_id", .text(SecretText(issuerID))), ("keys", .list([ThalesHarness.key(keyID, "key.pem")])),
            ("encryption_certificate", .text(SecretText(certificate ?? files["thales-certificate.pem"] ?? ""))),
            (
                "card_source",
                ThalesHarness.source(
                    url: "https://vault.example/cards/{provider_card_id}", token: ThalesEmulator.vaultToken)
            ),
        ]
        let settings = TestSettings(values + more, files: ["key.pem": key ?? files["thales-issuer.pem"] ?? ""])
        let emulator = emulator
        let vault = ScriptedTransport { request in
            let headers = request.headers.map { (name: $0.name.lowercased(), value: $0.value.reveal()) }
            let path = request.url.dropFirst("https://vault.example".count)
            let answer = await emulator.handle(EmulatedRequest(method: "GET", path: String(path), headers: headers))
            return UpstreamResponse(status: answer.status, headers: answer.headers, body: answer.body)
        }
        return try ThalesHarness.provider(vault, settings, clock: clock)
    }

    /// A handoff as the facade writes it.
    private func handoff(
        _ provider: ThalesProvider, _ wallet: Wallet = .applePay, card id: String = "sim_card_ok",
        _ change: (inout [String: String]) -> Void = { _ in }
    ) async throws -> JSONView {
        var request = try ThalesHarness.request(wallet)
        let card = ThalesEmulator.card(id)
        request.card = CardBinding(connection: "main", providerCardID: id, last4: card.last4, network: card.network)
        let authorization = try await ThalesHarness.authorization(provider, request)
        var members = [
            "type": "tpc_authorization", "encrypted_payload": authorization.encryptedPayload.reveal(),
            "authorization_code": authorization.authorizationCode.reveal(), "scheme": authorization.scheme,
            "primary_account_suffix": authorization.primaryAccountSuffix,
            "cardholder_name": authorization.cardholderName,
        ]
        change(&members)
        var json = JSONWriter()
        json.object { json in for (name, value) in members { json.member(name, value) } }
        return try JSONParser().parse(json.finish()).root
    }

    private func redeem(_ handoff: JSONView, _ wallet: Wallet = .applePay) async throws -> DeviceVerdict {
        let sdk = try #require(emulator.sdk)
        #expect(sdk.handoff == .tpcAuthorization)
        return try await sdk.redeem(handoff, for: wallet)
    }

    private func refusal(_ handoff: JSONView, _ wallet: Wallet = .applePay) async -> String {
        do { return "\(try await redeem(handoff, wallet))" } catch { return "\(error)" }
    }

    @Test(arguments: [
        (Wallet.applePay, "sim_card_ok"), (.googlePay, "sim_card_ok-2"), (.applePay, "sim_card_mastercard"),
        (.applePay, "sim_card_amex"), (.googlePay, "sim_card_discover"), (.applePay, "sim_card_longname"),
    ])
    func itOpensWhatTheAdapterMade(_ wallet: Wallet, _ id: String) async throws {
        let verdict = try await redeem(try await handoff(try provider(), wallet, card: id), wallet)
        #expect(verdict.deed == "had Thales open the card")
        #expect(verdict.token.cardLast4 == ThalesEmulator.card(id).last4)
        #expect(!"\(verdict)".contains(ThalesEmulator.cardNumber(of: id).reveal()))
    }

    @Test func aCodeWorksOnceUntilItForgets() async throws {
        let handoff = try await handoff(try provider())
        _ = try await redeem(handoff)
        #expect(await refusal(handoff) == "Thales does not take the code: its jti was seen before")
        emulator.reset()
        _ = try await redeem(handoff)
    }

    @Test func aCodeIsForItsWallet() async throws {
        let handoff = try await handoff(try provider())
        #expect(await refusal(handoff, .googlePay) == "Thales does not take the code: its aud is not GOOGLE_PAY")
    }

    @Test func aCodeEnds() async throws {
        let handoff = try await handoff(try provider())
        clock.advance(milliseconds: 300_000)
        #expect(await refusal(handoff) == "Thales does not take the code: it has ended")
        clock.advance(milliseconds: -400_000)
        #expect(await refusal(handoff) == "Thales does not take the code: it is from the future")
    }

    @Test func codeAndEnvelopeAreOfOneCard() async throws {
        let provider = try provider()
        let other = try await handoff(provider, card: "sim_card_ok-2")
        let mixed = try await handoff(provider) { $0["authorization_code"] = other["authorization_code"]?.string }
        #expect(await refusal(mixed) == "Thales does not take the code: its sub is not the issuerCardRefId or token")
    }

    @Test func aCodeIsTheIssuers() async throws {
        let stranger = try RSAPrivateKey().pem().reveal()
        #expect(
            await refusal(try await handoff(try provider(key: stranger)))
                == "Thales does not take the code: it is no token that the issuer signed")
        #expect(
            await refusal(try await handoff(try provider(keyID: "other")))
                == "Thales does not take the code: its kid is not the agreed one")
        #expect(
            await refusal(try await handoff(try provider(issuerID: "OTHER")))
                == "Thales does not take the code: its iss is not the issuer's id")
    }

    /// J03, J04, J07: times are whole numbers of seconds, and a code lives for 300 of them.
    @Test(arguments: [
        (#""iat":NOW,"exp":"END","jti":"1""#, "iat and exp are not whole numbers of seconds"),
        (#""iat":NOW,"exp":"soon","jti":"1""#, "iat and exp are not whole numbers of seconds"),
        (#""iat":NOW,"exp":null,"jti":"1""#, "iat and exp are not whole numbers of seconds"),
        (#""exp":END,"jti":"1""#, "iat and exp are not whole numbers of seconds"),
        (#""iat":NOW000,"exp":END000,"jti":"1""#, "it is from the future"),
        (#""iat":NOW,"exp":END000,"jti":"1""#, "it lives longer than 300 s"),
        (#""iat":NOW,"exp":END1,"jti":"1""#, "it lives longer than 300 s"),
        (#""iat":NOW,"exp":END"#, "it has no jti"), (#""iat":NOW,"exp":END,"jti":"""#, "it has no jti"),
        (#""iat":NOW,"exp":END,"jti":7"#, "it has no jti"),
    ])
    func j03J04J07ACodeSaysItsTimesInSeconds(_ claims: String, _ reason: String) async throws {
        let now = Int(clock.now.seconds)
        let text = claims.replacing("NOW", with: String(now)).replacing("END", with: String(now + 300))
        let members = try JSONParser().parse(SecretBytes(utf8: "{\(text)}")).root.members ?? []
        let key = try OpenSSLCryptography().signer(
            pem: SecretText(files["thales-issuer.pem"] ?? ""), algorithm: "RS256")
        let code = try TokenSigner(keyID: "simulated-issuer-key-1", key: key, namesType: true).token { json in
            json.member("iss", "SIMISSUER1")
            json.member("sub", "sim_card_ok")
            json.member("aud", "APPLE_PAY")
            for (name, value) in members { json.member(name, verbatim: value.canonical) }
        }
        let handoff = try await handoff(try provider()) { $0["authorization_code"] = code.reveal() }
        let told = await refusal(handoff)
        #expect(told == "Thales does not take the code: \(reason)")
    }

    @Test func anEnvelopeIsAsAgreed() async throws {
        let transport =
            "Thales cannot open the card: the onboarding agreed on RSA-OAEP with SHA-256, and this is another transport"
        #expect(await refusal(try await handoff(try provider(more: [("key_transport", "pkcs1v15")]))) == transport)
        let form = "Thales reads the payload as lower-case hex, and this is none"
        #expect(await refusal(try await handoff(try provider(more: [("payload_form", "base64")]))) == form)
        #expect(
            await refusal(
                try await handoff(try provider()) { $0["encrypted_payload"] = $0["encrypted_payload"]?.uppercased() })
                == form)
        #expect(
            await refusal(try await handoff(try provider(certificate: ThalesHarness.certificate)))
                == "Thales cannot open the card: The envelope does not open with this key.")
    }

    @Test func whatTheSDKIsGivenIsWhole() async throws {
        for member in [
            "type", "encrypted_payload", "authorization_code", "scheme", "primary_account_suffix", "cardholder_name",
        ] {
            let handoff = try await handoff(try provider()) { $0[member] = nil }
            #expect(await refusal(handoff) == "the handoff lacks what the SDK's provision call takes")
        }
        let last4 = ThalesEmulator.card("sim_card_ok").last4
        let suffix = try await handoff(try provider()) {
            $0["primary_account_suffix"] = last4 == "1234" ? "4321" : "1234"
        }
        #expect(await refusal(suffix) == "the handoff's primary_account_suffix is not the encrypted card's")
    }

    /// A platform's own payload, encrypted by another implementation, is looked at just as strictly.
    @Test(arguments: [
        (
            #"{"issuerCardRefId":"sim_card_ok","fpan":"NUMBER","exp":"1131","cardHolderName":"I","cvv":"1"}"#,
            "payload.cvv is not a known member"
        ),
        (
            #"{"issuerCardRefId":"sim_card_ok","fpan":"NUMBER1","exp":"1131","cardHolderName":"I"}"#,
            "fpan is no card number"
        ),
        (#"{"issuerCardRefId":"sim_card_ok","fpan":"NUMBER","exp":"2031","cardHolderName":"I"}"#, "exp is not MMYY"),
        (#"{"issuerCardRefId":"sim_card_ok","fpan":"NUMBER","exp":"1131"}"#, "cardHolderName is required"),
        (
            "no JSON",
            "payload is required, issuerCardRefId is required, fpan is required, exp is required, cardHolderName is required"
        ),
    ])
    func aPayloadIsAsPublished(_ payload: String, _ problem: String) async throws {
        let text = payload.replacing("NUMBER", with: ThalesEmulator.cardNumber(of: "sim_card_ok").reveal())
        let envelope = try OpenSSLCommand.run(
            [
                "cms", "-encrypt", "-binary", "-outform", "DER", "-aes-256-cbc", "-in", "payload", "-recip",
                "certificate.pem",
                "-keyopt", "rsa_padding_mode:oaep", "-keyopt", "rsa_oaep_md:sha256", "-keyopt", "rsa_mgf1_md:sha256",
            ],
            files: [
                "payload": Array(text.utf8), "certificate.pem": Array((files["thales-certificate.pem"] ?? "").utf8),
            ])
        let hex = Hexadecimal.encode(SecretBytes(envelope)).revealText()
        let handoff = try await handoff(try provider()) { $0["encrypted_payload"] = hex }
        #expect(await refusal(handoff) == "Thales opened the card and cannot use it: \(problem)")
    }
}
