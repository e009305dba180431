import Crypto
import ProviderKit
import SecretMemory
import Testing

struct HashingTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func hashesAsFIPS180Says(_ text: String, _ digest: String) {
        #expect(SHA256.digest(of: Array(text.utf8)) == bytes(digest))
        let pieces = text.utf8.map { SecretBytes([$0]) } + [SecretBytes([])]
        #expect(SHA256.digest(of: pieces) == bytes(digest))
    }

    /// RFC 4231, cases 1 to 4, 6 and 7.
    @Test(arguments: [
        (
            String(repeating: "0b", count: 20), "4869205468657265",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            "0102030405060708090a0b0c0d0e0f10111213141516171819", String(repeating: "cd", count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            String(repeating: "aa", count: 131),
            "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            String(repeating: "aa", count: 131),
            """
            5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65206b657920616e6420
            61206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b6579206e6565647320746f20626520686173
            686564206265666f7265206265696e6720757365642062792074686520484d414320616c676f726974686d2e
            """,
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func makesCodesAsRFC4231Says(_ key: String, _ data: String, _ code: String) {
        #expect(HMACSHA256.code(key: secret(key), of: [secret(data)]) == bytes(code))
        let hmac = HMACSHA256(key: secret(key))
        for split in [0, 1, 20] {
            let data = bytes(data)
            let pieces = [SecretBytes(data.prefix(split)), SecretBytes(data.dropFirst(split))]
            #expect(hmac.code(of: pieces) == bytes(code))
        }
    }

    @Test func makesCodesOfNothingUnderAnEmptyKey() {
        let code = bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
        #expect(HMACSHA256.code(key: SecretBytes([]), of: []) == code)
        #expect(HMACSHA256.code(key: SecretBytes([]), of: [SecretBytes([])]) == code)
    }

    @Test func makesCodesOnManyThreadsWithOneKey() async {
        let hmac = HMACSHA256(key: SecretBytes(utf8: "key"))
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                let text = SecretBytes(utf8: "text \(task)")
                let expected = HMACSHA256.code(key: SecretBytes(utf8: "key"), of: [text])
                group.addTask { (0..<500).allSatisfy { _ in hmac.code(of: [text]) == expected } }
            }
            for await sound in group { #expect(sound) }
        }
    }

    /// RFC 5869, cases 1 to 3.
    @Test(arguments: [
        (
            String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            (0x00...0x4f).hexadecimal, (0x60...0xaf).hexadecimal, (0xb0...0xff).hexadecimal,
            """
            b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09
            da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
            """
        ),
        (
            String(repeating: "0b", count: 22), "", "",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ])
    func derivesAsRFC5869Says(_ key: String, _ salt: String, _ info: String, _ output: String) throws {
        let expected = bytes(output)
        let derived = try HKDFSHA256.derive(
            from: secret(key), salt: bytes(salt), info: bytes(info), count: expected.count)
        #expect(derived == SecretBytes(expected))
    }

    @Test func refusesToDeriveFromNothingOrTooMuch() {
        #expect(throws: CryptographyFailure.self) { try HKDFSHA256.derive(from: SecretBytes([]), info: [], count: 32) }
        #expect(throws: CryptographyFailure.self) { try HKDFSHA256.derive(from: SecretBytes([1]), info: [], count: 0) }
        #expect(throws: CryptographyFailure.self) {
            try HKDFSHA256.derive(from: SecretBytes([1]), info: [], count: 8161)
        }
    }

    @Test func comparesWholeValues() {
        #expect(ConstantTime.equals([], []))
        #expect(ConstantTime.equals([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.equals([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.equals([1, 2, 3], [0, 2, 3]))
        #expect(!ConstantTime.equals([1, 2, 3], [1, 2]))
    }

    @Test func givesOtherRandomBytesEveryTime() {
        let drawn = (0..<100).map { _ in SecureRandom.bytes(16) }
        #expect(Set(drawn).count == 100)
        #expect(drawn.allSatisfy { $0.count == 16 })
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.secret(32) != SecureRandom.secret(32))
    }
}

extension ClosedRange<Int> {
    fileprivate var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
