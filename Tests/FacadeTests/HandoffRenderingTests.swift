import FoundationEssentials
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Testing

@testable import Facade

/// The handoffs as an app reads them.
@Suite struct HandoffRenderingTests {
    private func pass(_ key: ApplePayPass.Key) throws -> JSONView {
        let pass = ApplePayPass(
            activationData: SecretBytes([1, 2, 3]), encryptedPassData: SecretBytes([4, 5, 6]), key: key,
            encryptionVersion: nil)
        var json = JSONWriter()
        json.handoff(.applePayPass(pass))
        return try JSONParser().parse(json.finish()).root
    }

    @Test("H12: a wrapped key never stands in the ephemeral key's member, nor the other way round")
    func keepsTheTwoKindsOfKeyApart() throws {
        let wrapped = try pass(.wrappedKey(SecretBytes([7, 8, 9])))
        #expect(wrapped["wrapped_key"]?.string == "BwgJ")
        #expect(wrapped["ephemeral_public_key"] == nil)
        let ephemeral = try pass(.ephemeralPublicKey(SecretBytes([7, 8, 9])))
        #expect(ephemeral["ephemeral_public_key"]?.string == "BwgJ")
        #expect(ephemeral["wrapped_key"] == nil)
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Contracts/handoffs")

    /// A handoff of each type, and of each form that a type has. `UPDATE_GOLDEN=1` rewrites the files.
    @Test("G08: what an app reads is in a file for each handoff", arguments: golden.keys.sorted())
    func isAsTheGoldenFileSays(name: String) throws {
        let handoff = try #require(Self.golden[name])
        var json = JSONWriter()
        json.handoff(handoff)
        let made = try #require(json.finish().revealText()) + "\n"
        let file = Self.folder.appending(path: "\(name).json")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(made.utf8).write(to: file)
        }
        #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == made)
    }

    @Test("G08: every handoff has its file, and there is none too many")
    func hasAGoldenFileForEachType() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(Self.golden.keys.map { "\($0).json" }))
        #expect(Set(Self.golden.values.map(\.type)) == Set(HandoffType.allCases))
    }

    /// Dart, TypeScript and others: texts, whole numbers that a double holds, and nothing else; bytes as base64 that
    /// another library reads.
    @Test("G08: a handoff means the same in every language", arguments: golden.keys.sorted())
    func isPlainJSON(name: String) throws {
        var json = JSONWriter()
        json.handoff(try #require(Self.golden[name]))
        let root = try JSONParser().parse(json.finish()).root
        for (member, value) in try #require(root.members) where member != "ephemeral_key" {
            switch value.kind {
            case .string, .null: break
            case .integer: #expect(try abs(#require(value.integer)) < 1 << 53)
            default: Issue.record("\(member) is neither text, whole number nor null")
            }
            guard let text = value.string, ["_data", "_key"].contains(where: member.hasSuffix) else { continue }
            #expect(Data(base64Encoded: text) != nil, "\(member) is base64 on one line")
        }
    }

    private static let golden: [String: Handoff] = {
        let pass = { (key: ApplePayPass.Key, version: String?) in
            Handoff.applePayPass(
                ApplePayPass(
                    activationData: SecretBytes([0xfb, 0xef, 0xbe, 0x00]),
                    encryptedPassData: SecretBytes([0xff, 0x10, 0x20]), key: key, encryptionVersion: version))
        }
        let card = { (channel: WalletChannel, account: SecretText?) in
            Handoff.googlePayOpaqueCard(
                GooglePayOpaqueCard(
                    tokenCard: SecretText("eyJraWQiOiJpbnZlbnRlZCJ9..a/b+c"), accountCard: account,
                    network: CardNetwork.visa.googlePayNetwork(on: channel),
                    tokenServiceProvider: CardNetwork.visa.googlePayTokenServiceProvider(on: channel), last4: "4242",
                    displayName: "Café \"Noir\" Card"))
        }
        let end = Timestamp(milliseconds: 1_796_040_600_000)
        return [
            "apple_pay_pass": pass(.ephemeralPublicKey(SecretBytes([4, 1, 2, 3])), "EV_ECC_v2"),
            "apple_pay_pass.wrapped_key": pass(.wrappedKey(SecretBytes([5, 6])), nil),
            "google_pay_opaque_card": card(.inApp, SecretText("opaque/account+card==")),
            "google_pay_opaque_card.web": card(.web, nil),
            "stripe_ephemeral_key": .stripeEphemeralKey(
                StripeEphemeralKey(
                    ephemeralKey: SecretBytes(
                        utf8: #"{"secret":"ek_test_invented", "object":"ephemeral_key","unheard_of":1.0}"#),
                    apiVersion: "2020-08-27", providerCardID: "ic_1Invented", expiresAt: end)),
            "d1_authorization": .d1Authorization(
                D1Authorization(
                    jwt: SecretText("eyJhbGciOiJFUzI1NiJ9.e30.c2ln"), expiresAt: end,
                    providerCardID: "crd_00000000000000000000000000",
                    cardholderID: "crh_00000000000000000000000000", issuerID: "ISSUER",
                    serviceURL: "https://client-api.d1.example/", digitalCardURL: "https://hapi.d1.example/mg/tpc",
                    serviceRSAModulus: "c0ffee", serviceRSAExponent: "010001")),
            "tpc_authorization": .tpcAuthorization(
                TPCAuthorization(
                    encryptedPayload: SecretText("3082"),
                    authorizationCode: SecretText("eyJhbGciOiJSUzI1NiJ9.e30.c2ln"),
                    expiresAt: end, scheme: "VISA", primaryAccountSuffix: "4242", cardholderName: "Ada Example",
                    productID: nil, primaryAccountIdentifier: nil)),
        ]
    }()
}
