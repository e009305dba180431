import Provisioning
import SecretMemory
import Storage
import Testing

@testable import Gateway

/// PassKit's handshake in the forms that people send: repairs are reported, faults name the member and the form.
@Suite struct HandshakeReaderTests {
    let certificates: TestCertificates
    let now = Timestamp(milliseconds: 1_800_000_000_000)

    init() throws { certificates = try TestCertificates.shared.get() }

    private func read(
        _ texts: [String], nonce: String = "++++AP8Q", signature: String = "AQIDBA==", encoding: String? = nil
    ) throws -> (ApplePayHandshake, HandshakeNotes) {
        var reader = HandshakeReader()
        let handshake = try reader.read(
            ProvisionCommand.ApplePay(
                certificates: texts.map { SecretText($0) }, nonce: SecretText(nonce),
                nonceSignature: SecretText(signature), encoding: encoding), at: now)
        return (handshake, reader.notes)
    }

    private func problem(
        _ texts: [String], nonce: String = "++++AP8Q", signature: String = "AQIDBA==", encoding: String? = nil
    ) -> Problem? {
        do {
            _ = try read(texts, nonce: nonce, signature: signature, encoding: encoding)
            return nil
        } catch {
            return error as? Problem
        }
    }

    private func pem(_ der: [UInt8], lineBreak: String = "\n") -> String {
        let digits = Array(Base64.encode(der).utf8)
        let lines = stride(from: 0, to: digits.count, by: 64).map {
            String(decoding: digits[$0..<min($0 + 64, digits.count)], as: UTF8.self)
        }
        return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""]).joined(
            separator: lineBreak)
    }

    private var leaf: String { Base64.encode(certificates.leaf) }
    private var intermediate: String { Base64.encode(certificates.intermediate) }
    private var root: String { Base64.encode(certificates.root) }

    @Test func takesACleanHandshakeWithoutRepairs() throws {
        let (handshake, notes) = try read([leaf, intermediate])
        #expect(handshake.certificates == certificates.chain)
        #expect(handshake.nonce.reveal() == [0xfb, 0xef, 0xbe, 0x00, 0xff, 0x10])
        #expect(notes.repairs.isEmpty)
        #expect(notes.warnings.isEmpty)
    }

    @Test("H03: unpadded base64 and base64url are accepted and reported", arguments: ["++++AP8", "----AP8"])
    func reportsPaddingAndAlphabet(_ nonce: String) throws {
        let (handshake, notes) = try read([leaf, intermediate], nonce: nonce)
        #expect(handshake.nonce.count == 5)
        #expect(notes.repairs.contains { $0.pointer == "/apple_pay/nonce" && $0.word == "padding_added" })
    }

    @Test("H04: PEM, wrapped and doubly encoded certificates are read")
    func readsCertificatesInEveryForm() throws {
        for lineBreak in ["\n", "\r\n"] {
            let (handshake, notes) = try read([pem(certificates.leaf, lineBreak: lineBreak), intermediate])
            #expect(handshake.certificates == certificates.chain)
            #expect(notes.repairs.map(\.word) == ["pem_decoded"])
        }
        let doubled = Base64.encode(Array(pem(certificates.leaf).utf8))
        let (handshake, notes) = try read([doubled, intermediate])
        #expect(handshake.certificates == certificates.chain)
        #expect(notes.repairs.map(\.word) == ["base64_of_pem_decoded"])
    }

    @Test("H09: a reversed chain is put in order and reported")
    func reordersAReversedChain() throws {
        let (handshake, notes) = try read([intermediate, leaf])
        #expect(handshake.certificates == certificates.chain)
        #expect(notes.repairs.map(\.word) == ["certificates_reordered"])
    }

    @Test("H09: a root is a warning wherever it stands, and is not sent")
    func warnsOfARoot() throws {
        let inOrder = [[leaf, intermediate, root]]
        let others = [
            [root, leaf, intermediate], [leaf, root, intermediate], [intermediate, leaf, root],
            [intermediate, root, leaf], [root, intermediate, leaf],
        ]
        for texts in inOrder + others {
            let (handshake, notes) = try read(texts)
            #expect(handshake.certificates == certificates.chain)
            #expect(notes.warnings.map(\.word) == ["root_appended"])
            #expect(notes.repairs.map(\.word) == (inOrder.contains(texts) ? [] : ["certificates_reordered"]))
        }
    }

    @Test func warnsOfAnExpiredCertificate() throws {
        let (_, notes) = try read([Base64.encode(certificates.expiredLeaf), intermediate])
        #expect(notes.warnings.map(\.word) == ["certificate_expired"])
        #expect(notes.warnings.map(\.pointer) == ["/apple_pay/certificates/0"])
    }

    @Test("H09: chains that are none are refused by name")
    func refusesChainsThatAreNone() {
        let stranger = Base64.encode(certificates.strangerLeaf)
        for texts in [
            [], [leaf], [leaf, leaf], [leaf, root], [stranger, intermediate], [leaf, intermediate, stranger],
        ] {
            let problem = problem(texts)
            #expect(problem?.code == .handshakeInvalid, "\(texts.count) certificates")
            #expect(problem?.errors.first?.pointer == "/apple_pay/certificates")
        }
    }

    @Test("H01, H04, H09: a certificate in a form that is not taken is refused, and the form is named")
    func namesTheFormOfACertificateThatIsNone() throws {
        func hex(_ bytes: [UInt8]) -> String {
            bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        let whole = pem(certificates.leaf)
        let cases = [
            (hex(certificates.leaf), "is hex"), (hex(certificates.leaf).uppercased(), "is hex"),
            (hex(Array(certificates.leaf.dropLast())), "is hex"), (hex([0x30, 0x82, 0x01, 0x02]), "is hex"),
            ("0x" + hex(certificates.leaf), "base64"), ("", "is empty"), ("\n", "is empty"),
            (Base64.encode(certificates.leaf + [0]), "not of one X.509 certificate"),
            ("AAAA", "not of one X.509 certificate"), (leaf + leaf, "base64"),
            (#"["\#(leaf)"]"#, "JSON text inside a string"), (#""\#(leaf)""#, "JSON text inside a string"),
            (leaf.replacing("M", with: "M  "), "characters that base64 does not have"),
            (leaf.replacing("M", with: "M\u{0}"), "characters that base64 does not have"),
            ("-----BEGIN CERTIFICATE----\n\(leaf)", "whole CERTIFICATE marker"),
            ("----BEGIN CERTIFICATE-----\n\(leaf)", "whole CERTIFICATE marker"),
            ("-----BEGIN CERTIFICATE-----\n\(leaf)", "without its END CERTIFICATE marker"),
            (pem(certificates.leaf, lineBreak: #"\n"#), "a backslash and an n"),
            (pem(certificates.leaf, lineBreak: #"\r\n"#), "a backslash and an n"),
            (Base64.encode(Array(pem(certificates.leaf, lineBreak: #"\n"#).utf8)), "a backslash and an n"),
            (pem(certificates.leaf, lineBreak: "\r"), "is PEM, and its body holds characters"),
            (pem(certificates.leaf, lineBreak: " \n"), "is PEM, and its body holds characters"),
            (pem([1, 2, 3]), "not of one X.509 certificate"), (whole + pem(certificates.root), "more than one PEM"),
            ("Bag Attributes\n" + whole, "other text before it"), (whole + "# the leaf\n", "other text after it"),
            (whole.replacing("CERTIFICATE", with: "PKCS7"), "something else than a certificate"),
        ]
        for (text, form) in cases {
            let problem = problem([text, intermediate])
            #expect(problem?.code == .handshakeInvalid, "\(text.prefix(40))")
            #expect(problem?.outcome == .notSent)
            let error = try #require(problem?.errors.first)
            #expect(error.pointer == "/apple_pay/certificates/0")
            #expect(error.detail.contains(form), "\(error.detail), of \(text.prefix(40).debugDescription)")
            #expect(!error.detail.contains(leaf.prefix(12)))
        }
    }

    @Test("H01: a nonce that reads as hex and as base64 is never guessed")
    func refusesAmbiguousNonces() throws {
        let problem = problem([leaf, intermediate], nonce: "fbefbe00ff10")
        #expect(problem?.code == .ambiguousEncoding)
        #expect(problem?.errors.first?.pointer == "/apple_pay/nonce")
        let asHex = try read([leaf, intermediate], nonce: "fbefbe00ff10", encoding: "base64").0.nonce
        #expect(asHex.count == 9)
    }

    @Test("H01: a declared encoding is obeyed, for the nonce and its signature alone")
    func obeysADeclaredEncoding() throws {
        let (handshake, notes) = try read(
            [leaf, intermediate], nonce: "fbefbe00ff10", signature: "01020304", encoding: "hex")
        #expect(handshake.nonce.reveal() == [0xfb, 0xef, 0xbe, 0x00, 0xff, 0x10])
        #expect(handshake.nonceSignature.reveal() == [1, 2, 3, 4])
        #expect(notes.repairs.isEmpty && notes.warnings.isEmpty)
        for (nonce, signature, pointer) in [
            ("++++AP8Q", "01020304", "/apple_pay/nonce"), ("fbefbe00ff10", "AQIDBA==", "/apple_pay/nonce_signature"),
            ("fbefbe00ff1", "01020304", "/apple_pay/nonce"),
        ] {
            let problem = problem([leaf, intermediate], nonce: nonce, signature: signature, encoding: "hex")
            #expect(problem?.code == .handshakeInvalid)
            #expect(problem?.errors.map(\.pointer) == [pointer])
        }
    }

    @Test("H01: a signature that reads as hex and as base64 is never guessed")
    func refusesAmbiguousSignatures() {
        for signature in ["01020304", "ABCDEF0123", "fbefbe00ff10"] {
            let problem = problem([leaf, intermediate], signature: signature)
            #expect(problem?.code == .ambiguousEncoding)
            #expect(problem?.errors.map(\.pointer) == ["/apple_pay/nonce_signature"])
        }
    }

    @Test func namesEveryMemberAtFault() {
        let problem = problem(["!", "?"], nonce: "*")
        #expect(
            problem?.errors.map(\.pointer) == [
                "/apple_pay/nonce", "/apple_pay/certificates/0", "/apple_pay/certificates/1",
            ])
    }
}
