import Gateway
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Testing

@testable import Facade

@Suite struct ProvisionBodyTests {
    private func read(_ text: String) throws(Problem) -> ProvisionCommand {
        try ProvisionBody.read(
            RequestBody(SecretBytes(utf8: text), with: JSONParser()), card: CardKey(program: "p", id: "c"),
            receivedAt: .now)
    }

    private func faults(_ text: String) -> [MemberProblem] {
        do throws(Problem) {
            _ = try read(text)
            return []
        } catch {
            return error.errors
        }
    }

    @Test func readsEveryMember() throws {
        let command = try read(
            """
            {"wallet": "apple_pay", "channel": "web", "origin": "wallet_extension",
             "accept": ["apple_pay_pass", "stripe_ephemeral_key"], "plan": "sealed",
             "cardholder": {"id": "7", "authentication":
               {"method": "passkey", "authenticated_at": "2026-01-31T10:20:30.456Z"}},
             "apple_pay": {"certificates": ["A", "B"], "nonce": "N\\n", "nonce_signature": "S", "encoding": "hex"},
             "google_pay": {"wallet_id": "w", "device_id": "d", "server_session_id": "s"},
             "client": {"stripe_api_version": "2020-08-27"}, "thales": {"encrypted_payload": "00ff"}}
            """)
        #expect(command.wallet == .applePay && command.channel == .web && command.origin == .walletExtension)
        #expect(command.accept == [.applePayPass, .stripeEphemeralKey] && command.plan == "sealed")
        #expect(command.cardholder?.id == "7")
        #expect(command.cardholder?.authenticatedAt?.milliseconds == 1_769_854_830_456)
        #expect(command.applePay?.certificates?.map { $0.reveal() } == ["A", "B"])
        #expect(command.applePay?.nonce?.reveal() == "N\n" && command.applePay?.encoding == "hex")
        #expect(command.googlePay?.serverSessionID?.reveal() == "s")
        #expect(command.stripeAPIVersion == "2020-08-27" && command.encryptedPayload?.reveal() == "00ff")
    }

    @Test func onlyTheWalletIsAlwaysNeeded() throws {
        let command = try read(#"{"wallet": "google_pay", "channel": null, "apple_pay": {}}"#)
        #expect(command.channel == .inApp && command.origin == .app && command.accept == nil)
        #expect(command.applePay?.nonce == nil && command.applePay?.certificates == nil)
        #expect(faults("{}").map(\.pointer) == ["/wallet"])
        #expect(faults("{}").map(\.code) == ["missing"])
    }

    @Test(
        "H08: certificates in two fields are answered with what to send",
        arguments: [
            #"{"wallet": "apple_pay", "certificateLeaf": "SECRET", "certificateSubCA": "SECRET"}"#,
            #"{"wallet": "apple_pay", "apple_pay": {"certificateLeaf": "SECRET", "certificate_sub_ca": "SECRET"}}"#,
        ])
    func answersTwoCertificateFields(text: String) {
        let faults = faults(text)
        #expect(faults.count == 2)
        for fault in faults {
            #expect(
                fault.detail == """
                    is not known here; send "apple_pay": {"certificates": ["<leaf>", "<intermediate>"], \
                    "nonce": "<nonce>", "nonce_signature": "<signature>"}
                    """)
        }
    }

    @Test("H13: a scheme cannot be asked for", arguments: ["encryption_version", "encryptionScheme"])
    func refusesASchemeByName(_ name: String) {
        let faults = faults(#"{"wallet": "apple_pay", "apple_pay": {"\#(name)": "RSA_V2"}}"#)
        #expect(faults.map(\.pointer) == ["/apple_pay/\(name)"])
        #expect(faults.first?.detail.contains("always ECC_V2") == true)
    }

    @Test(arguments: [
        (#"{"wallet": "apple_pay", "nonce": "x"}"#, "/nonce", "/apple_pay/nonce"),
        (
            #"{"wallet": "apple_pay", "apple_pay": {"nonceSignature": "x"}}"#, "/apple_pay/nonceSignature",
            "nonce_signature"
        ),
        (#"{"walet": "apple_pay", "wallet": "apple_pay"}"#, "/walet", "wallet"),
        (#"{"wallet": "google_pay", "google_pay": {"walletId": "x"}}"#, "/google_pay/walletId", "wallet_id"),
        (#"{"wallet": "google_pay", "cardholderId": "x"}"#, "/cardholderId", "/cardholder/id"),
    ])
    func namesTheNearestMember(text: String, pointer: String, suggestion: String) {
        #expect(faults(text).map(\.pointer) == [pointer])
        #expect(faults(text).first?.detail == "is not known here; did you mean `\(suggestion)`?")
    }

    @Test(arguments: [
        (#"{"wallet": "apple"}"#, "/wallet"), (#"{"wallet": 1}"#, "/wallet"), (#"{"wallet": "Apple_Pay"}"#, "/wallet"),
        (#"{"wallet": "apple_pay", "channel": "app"}"#, "/channel"),
        (#"{"wallet": "apple_pay", "accept": "apple_pay_pass"}"#, "/accept"),
        (#"{"wallet": "apple_pay", "accept": ["apple_pay_pass", "pass"]}"#, "/accept/1"),
        (#"{"wallet": "apple_pay", "apple_pay": {"certificates": "[\"a\",\"b\"]"}}"#, "/apple_pay/certificates"),
        (#"{"wallet": "apple_pay", "apple_pay": {"certificates": ["a", 2]}}"#, "/apple_pay/certificates/1"),
        (#"{"wallet": "apple_pay", "apple_pay": {"encoding": "base32"}}"#, "/apple_pay/encoding"),
        (#"{"wallet": "apple_pay", "apple_pay": {"nonce": {"a": 1}}}"#, "/apple_pay/nonce"),
        (#"{"wallet": "apple_pay", "google_pay": {"wallet_id": 7}}"#, "/google_pay/wallet_id"),
        (#"{"wallet": "apple_pay", "client": {"stripe_api_version": 20200827}}"#, "/client/stripe_api_version"),
        (
            #"{"wallet": "apple_pay", "cardholder": {"authentication": {"authenticated_at": "yesterday"}}}"#,
            "/cardholder/authentication/authenticated_at"
        ),
        (
            #"{"wallet": "apple_pay", "cardholder": {"authentication": {"authenticated_at": 1769854830}}}"#,
            "/cardholder/authentication/authenticated_at"
        ),
    ])
    func refusesAtTheMember(text: String, pointer: String) {
        #expect(faults(text).map(\.pointer) == [pointer])
    }

    @Test func boundsWhatAnAppMayKnow() {
        let words = Array(repeating: "\"apple_pay_pass\"", count: 33).joined(separator: ",")
        #expect(faults("{\"wallet\": \"apple_pay\", \"accept\": [\(words)]}").map(\.code) == ["too_long"])
    }

    @Test func neverQuotesAValue() {
        let faults = faults(
            """
            {"wallet": "canary", "channel": "canary", "accept": ["canary"], "plan": "canary\\u0000",
             "cardholder": {"authentication": {"authenticated_at": "canary"}}, "canary value": "canary",
             "apple_pay": {"encoding": "canary", "certificates": "canary"}, "known": "canary"}
            """)
        #expect(faults.count == 9)
        #expect(faults.allSatisfy { !$0.detail.contains("canary") && !$0.pointer.contains("canary") })
    }
}
