import ProviderTesting

/// Spoils inputs as libFuzzer does, but alike in every run.
public struct Mutation {
    /// What parsers look at.
    private static let marks: [[UInt8]] =
        [
            "{", "}", "[", "]", "\"", ":", ",", "\\u0000", "\\ud800", "\n", "\r\n", "\t", "null", "true", "-1", "1e999",
            "9223372036854775808", "-----BEGIN ", "-----END ", "=", "==", "%00", "%2f", "&", "t=", "${", "file:", "&a",
            "*a",
            "é", "\u{feff}", "\u{1F469}\u{200D}",
        ].map { Array($0.utf8) } + [
            [0], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0x30, 0x80], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
        ]

    private var random: DeterministicRandom

    /// Starts from a seed.
    public init(seed: UInt64) { random = DeterministicRandom(seed: seed) }

    /// The input with one to four changes; others are the inputs that pieces are taken from.
    public mutating func spoil(_ input: [UInt8], among others: [[UInt8]]) -> [UInt8] {
        var bytes = input
        for _ in 0...Int.random(in: 0...3, using: &random) { change(&bytes, others) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8], _ others: [[UInt8]]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let length = min(Int.random(in: 1...24, using: &random), bytes.count - place)
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(place..<(place + length))
        case 3: bytes.insert(contentsOf: bytes[place..<(place + length)], at: place)
        case 4: bytes.removeLast(bytes.count - place)
        case 5:
            let other = others.randomElement(using: &random) ?? []
            let start = Int.random(in: 0...other.count, using: &random)
            bytes.insert(contentsOf: other[start...].prefix(64), at: place)
        default: bytes.insert(contentsOf: Self.marks.randomElement(using: &random) ?? [0], at: place)
        }
    }
}
