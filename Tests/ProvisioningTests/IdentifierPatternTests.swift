import Provisioning
import Testing

struct IdentifierPatternTests {
    private static let increase = IdentifierPattern.prefixed(
        ["card_", "sandbox_card_"], .lowercaseAlphanumeric, length: 1...64)

    @Test(arguments: ["card_oubs0hwk5rn6knuecxg2", "sandbox_card_a", "card_0"]) func takesIdsOfTheForm(_ id: String) {
        #expect(Self.increase.matches(id))
    }

    @Test(arguments: [
        "", "card_", "card", "Card_a", "card_A", "card_a ", " card_a", "card_a\n", "card_a/..", "card_..", "card_a%2f",
        "card_a?x=1", "card_a#", "card_é", "card_a\u{301}", "card_\u{661}", "live_card_a", "sandbox_card_",
        "card_card_", "card_a\0", "card_" + String(repeating: "a", count: 65),
    ])
    func refusesEverythingElse(_ id: String) {
        #expect(!Self.increase.matches(id))
    }

    @Test func comparesPrefixesByteByByte() {
        // The Kelvin sign is canonically the same as K, and no K.
        let pattern = IdentifierPattern.prefixed(["K"], .alphanumeric, length: 1...4)
        #expect(pattern.matches("Ka"))
        #expect(!pattern.matches("\u{212a}a"))
    }

    @Test func boundsTheLength() {
        let pattern = IdentifierPattern.prefixed(["crd_"], .lowercaseAlphanumeric, length: 26...26)
        for count in [0, 1, 25, 26, 27] {
            #expect(pattern.matches("crd_" + String(repeating: "a", count: count)) == (count == 26))
        }
    }

    @Test func knowsItsAlphabets() {
        func pattern(_ alphabet: IdentifierPattern.Alphabet) -> IdentifierPattern {
            .prefixed([""], alphabet, length: 1...1)
        }
        for scalar in (0..<0x100).compactMap({ Unicode.Scalar($0) }) {
            let text = String(scalar)
            let isASCII = scalar.isASCII
            let isLower = isASCII && (text >= "a" && text <= "z" || text >= "0" && text <= "9")
            let isUpper = isASCII && text >= "A" && text <= "Z"
            #expect(pattern(.lowercaseAlphanumeric).matches(text) == isLower)
            #expect(pattern(.alphanumeric).matches(text) == (isLower || isUpper))
            #expect(pattern(.token).matches(text) == (isLower || isUpper || text == "-" || text == "_"))
        }
    }

    @Test func readsUUIDs() {
        #expect(IdentifierPattern.uuid.matches("c9ae2a36-5f6e-4d3c-9c2f-0123456789ab"))
        #expect(IdentifierPattern.uuid.matches("C9AE2A36-5F6E-4D3C-9C2F-0123456789AB"))
        for text in [
            "", "c9ae2a365f6e4d3c9c2f0123456789ab", "c9ae2a36-5f6e-4d3c-9c2f-0123456789a",
            "c9ae2a36-5f6e-4d3c-9c2f-0123456789abc", "g9ae2a36-5f6e-4d3c-9c2f-0123456789ab",
            "{c9ae2a36-5f6e-4d3c-9c2f-0123456789ab}", "c9ae2a36-5f6e-4d3c-9c2f-0123456789ab-",
            "c9ae2a36-5f6e-4d3c-9c2f-012345678\u{ff11}", "c9ae2a36-5f6e-4d3c-9c2f-0123456789a/",
        ] {
            #expect(!IdentifierPattern.uuid.matches(text))
        }
    }
}
