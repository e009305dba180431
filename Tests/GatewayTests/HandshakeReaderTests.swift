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

    private func read(_ texts: [String], nonce: String = "++++AP8Q", encoding: String? = nil) throws -> (
        ApplePayHandshake, HandshakeNotes
    ) {
        var reader = HandshakeReader()
        let handshake = try reader.read(
            ProvisionCommand.ApplePay(
                certificates: texts.map { SecretText($0) }, nonce: SecretText(nonce),
                nonceSignature: SecretText("AQIDBA=="), encoding: encoding), at: now)
        return (handshake, reader.notes)
    }

    private func problem(_ texts: [String], nonce: String = "++++AP8Q", encoding: String? = nil) -> Problem? {
        do {
            _ = try read(texts, nonce: nonce, encoding: encoding)
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

    @Test("H09: an appended root is a warning, and is not sent")
    func warnsOfAnAppendedRoot() throws {
        let (handshake, notes) = try read([leaf, intermediate, root])
        #expect(handshake.certificates == certificates.chain)
        #expect(notes.warnings.map(\.word) == ["root_appended"])
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

    @Test func refusesCertificatesThatAreNone() {
        let hex = certificates.leaf.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let trailing = Base64.encode(certificates.leaf + [0])
        for text in [
            hex, trailing, "AAAA", "", "[\"\(leaf)\"]", "-----BEGIN CERTIFICATE----\n\(leaf)", pem([1, 2, 3]),
        ] {
            let problem = problem([text, intermediate])
            #expect(problem?.code == .handshakeInvalid)
            #expect(problem?.errors.first?.pointer == "/apple_pay/certificates/0")
            #expect(problem?.errors.first?.detail.contains(String(leaf.prefix(12))) == false)
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

    @Test func namesEveryMemberAtFault() {
        let problem = problem(["!", "?"], nonce: "*")
        #expect(
            problem?.errors.map(\.pointer) == [
                "/apple_pay/nonce", "/apple_pay/certificates/0", "/apple_pay/certificates/1",
            ])
    }
}
