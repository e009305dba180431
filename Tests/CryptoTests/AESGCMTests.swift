import Crypto
import ProviderKit
import SecretMemory
import Testing

struct AESGCMTests {
    private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    private static let plaintext = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657
        ba637b39
        """

    struct Vector: Sendable {
        let key: String, nonce: String, plaintext: String, data: String, sealed: String
    }

    /// Cases 13, 14 and 16 of NIST's submission of GCM; the nonces of 16 bytes were computed from its definition.
    static let vectors = [
        Vector(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), plaintext: "", data: "",
            sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
            plaintext: String(repeating: "00", count: 16), data: "",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: key, nonce: "cafebabefacedbaddecaf888", plaintext: plaintext,
            data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            sealed: """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e63
                93ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b
                """),
        Vector(
            key: key, nonce: "000102030405060708090a0b0c0d0e0f", plaintext: plaintext,
            data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            sealed: """
                ad0bad38a94f095e991ad09739b244cc8df711ee1cefd699350da284cd0d0be39e151fb2098bedcdf7afc22978a8a4e7468d2bbc
                50a4ccf1d60ac420c9497f3d8071865e69b8b36096de22ca
                """),
        Vector(
            key: key, nonce: String(repeating: "00", count: 16), plaintext: "d9313225f88406e5a55909c5aff5269a",
            data: "", sealed: "ccb477f3689f20d16aef31343eb0f82c463776ef51d2a457d2f313a6c9835d62"),
    ]

    @Test(arguments: vectors) func sealsAndOpensAsNISTSays(_ vector: Vector) throws {
        let cipher = try AESGCM(key: secret(vector.key))
        let (nonce, data, sealed) = (bytes(vector.nonce), bytes(vector.data), bytes(vector.sealed))
        #expect(try cipher.seal(secret(vector.plaintext), nonce: nonce, associatedData: data) == sealed)
        #expect(try cipher.open(sealed, nonce: nonce, associatedData: data) == secret(vector.plaintext))
    }

    @Test func opensWhatItSealedOfEveryLength() throws {
        let cipher = try AESGCM(key: SecureRandom.secret(32))
        for count in 0...70 {
            let plaintext = SecureRandom.secret(count)
            let sealed = try cipher.seal(plaintext, associatedData: [1, 2])
            #expect(sealed.count == 12 + count + 16)
            #expect(try cipher.open(sealed, associatedData: [1, 2]) == plaintext)
        }
    }

    @Test func refusesEveryAlteredByteAndEveryCut() throws {
        let cipher = try AESGCM(key: SecureRandom.secret(32))
        let sealed = try cipher.seal(SecretBytes(utf8: "twelve bytes"), associatedData: [7])
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(throws: CryptographyFailure.self) { try cipher.open(altered, associatedData: [7]) }
            #expect(throws: CryptographyFailure.self) {
                try cipher.open(Array(sealed[..<index]), associatedData: [7])
            }
        }
        #expect(throws: CryptographyFailure.self) { try cipher.open(sealed + [0], associatedData: [7]) }
        #expect(throws: CryptographyFailure.self) { try cipher.open(sealed, associatedData: [8]) }
        #expect(throws: CryptographyFailure.self) { try cipher.open(sealed, associatedData: []) }
        let other = try AESGCM(key: SecureRandom.secret(32))
        #expect(throws: CryptographyFailure.self) { try other.open(sealed, associatedData: [7]) }
    }

    @Test func refusesKeysAndNoncesOfOtherLengths() throws {
        #expect(throws: CryptographyFailure.self) { try AESGCM(key: SecureRandom.secret(16)) }
        #expect(throws: CryptographyFailure.self) { try AESGCM(key: SecretBytes([])) }
        let cipher = try AESGCM(key: SecureRandom.secret(32))
        for count in [0, 8, 11, 13, 17] {
            #expect(throws: CryptographyFailure.self) {
                try cipher.seal(SecretBytes([1]), nonce: SecureRandom.bytes(count), associatedData: [])
            }
        }
    }
}
