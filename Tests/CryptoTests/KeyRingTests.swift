import Crypto
import ProviderKit
import SecretMemory
import Testing

struct KeyRingTests {
    private let current = SecureRandom.secret(32)
    private let former = SecureRandom.secret(48)
    private let plaintext = SecretBytes(utf8: "a plan")

    @Test func opensWhatItSealed() throws {
        let keys = try KeyRing([current])
        let text = try keys.seal(plaintext, purpose: "plan", associatedData: [1])
        #expect(try keys.open(text, purpose: "plan", associatedData: [1]) == plaintext)
        #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        let empty = try keys.seal(SecretBytes([]), purpose: "plan", associatedData: [])
        #expect(try keys.open(empty, purpose: "plan", associatedData: []).isEmpty)
    }

    @Test func neverSealsTheSameWayTwice() throws {
        let keys = try KeyRing([current])
        let texts = try (0..<50).map { _ in try keys.seal(plaintext, purpose: "plan", associatedData: []) }
        #expect(Set(texts).count == 50)
    }

    @Test func opensForNothingElse() throws {
        let keys = try KeyRing([current])
        let text = try keys.seal(plaintext, purpose: "plan", associatedData: [1])
        #expect(throws: CryptographyFailure.self) { try keys.open(text, purpose: "cursor", associatedData: [1]) }
        #expect(throws: CryptographyFailure.self) { try keys.open(text, purpose: "plan", associatedData: [2]) }
        let others = try KeyRing([former])
        #expect(throws: CryptographyFailure.self) { try others.open(text, purpose: "plan", associatedData: [1]) }
    }

    @Test func refusesEveryAlteredDigitAndEveryCut() throws {
        let keys = try KeyRing([current])
        let text = Array(try keys.seal(plaintext, purpose: "plan", associatedData: []).utf8)
        for index in text.indices {
            var altered = text
            altered[index] = altered[index] == 0x41 ? 0x42 : 0x41
            for damaged in [altered, Array(text[..<index])] {
                let damaged = String(decoding: damaged, as: UTF8.self)
                #expect(throws: CryptographyFailure.self) {
                    try keys.open(damaged, purpose: "plan", associatedData: [])
                }
            }
        }
        let whole = String(decoding: text, as: UTF8.self)
        for text in [
            whole + "=", whole + "==", whole + "A", "", "A", "é", "plan", "AQ==", String(repeating: "A", count: 200),
        ] {
            #expect(throws: CryptographyFailure.self) { try keys.open(text, purpose: "plan", associatedData: []) }
        }
    }

    @Test func outlivesTheReplacementOfARootSecret() throws {
        let before = try KeyRing([former])
        let after = try KeyRing([current, former])
        let text = try before.seal(plaintext, purpose: "plan", associatedData: [])
        #expect(try after.open(text, purpose: "plan", associatedData: []) == plaintext)
        let digest = before.digest(plaintext, purpose: "handshake")
        #expect(
            after.digests(plaintext, purpose: "handshake") == [after.digest(plaintext, purpose: "handshake"), digest])
        #expect(after.digest(plaintext, purpose: "handshake") != digest)
        let renewed = try after.seal(plaintext, purpose: "plan", associatedData: [])
        #expect(throws: CryptographyFailure.self) { try before.open(renewed, purpose: "plan", associatedData: []) }
    }

    @Test func digestsByPurposeAndContent() throws {
        let keys = try KeyRing([current])
        let digest = keys.digest(plaintext, purpose: "handshake")
        #expect(digest.count == 32)
        #expect(try KeyRing([current]).digest(plaintext, purpose: "handshake") == digest)
        #expect(keys.digest(plaintext, purpose: "payload") != digest)
        #expect(keys.digest(SecretBytes(utf8: "a plaN"), purpose: "handshake") != digest)
        #expect(keys.digest(SecretBytes([]), purpose: "handshake") != digest)
    }

    @Test func namesItsKeysWithoutShowingThem() throws {
        let keys = try KeyRing([current, former])
        #expect(keys.keyIDs.count == 2)
        #expect(Set(keys.keyIDs).count == 2)
        #expect(keys.keyIDs.allSatisfy { $0.count == 12 })
        #expect(try KeyRing([former]).keyIDs == [keys.keyIDs[1]])
        #expect(!keys.keyIDs.contains(current.reveal().prefix(6).map { String($0, radix: 16) }.joined()))
    }

    @Test func refusesRootSecretsThatAreShortRepeatedOrMissing() {
        #expect(throws: CryptographyFailure.self) { try KeyRing([]) }
        #expect(throws: CryptographyFailure("Root secret 2 has 31 bytes; 32 are needed.")) {
            try KeyRing([current, SecureRandom.secret(31)])
        }
        #expect(throws: CryptographyFailure("Root secret 3 stands in the list before.")) {
            try KeyRing([current, former, current])
        }
    }
}
