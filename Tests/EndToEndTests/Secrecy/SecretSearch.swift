import Foundation
import SecretMemory

/// Looks for secrets where they must not be: as they are, in base64, in base64url and in hex.
struct SecretSearch {
    private let places: [Place]

    /// A place, and every eight bytes that stand side by side in it: nearly every value is known by them not to be there.
    private struct Place {
        let name: String
        let contents: Data
        let windows: Set<UInt64>
    }

    init(_ places: [(name: String, contents: Data)]) {
        self.places = places.map { place in
            var windows: Set<UInt64> = []
            var window: UInt64 = 0
            for (index, byte) in [UInt8](place.contents).enumerated() {
                window = window << 8 | UInt64(byte)
                if index >= 7 { windows.insert(window) }
            }
            return Place(name: place.name, contents: place.contents, windows: windows)
        }
    }

    /// Where the bytes stand, and in which form.
    func findings(of secret: SecretBytes) -> [String] {
        let bytes = secret.reveal()
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let forms: [(String, [UInt8])] = [
            ("plain", bytes), ("hex", Array(hex.utf8)), ("upper-case hex", Array(hex.uppercased().utf8)),
            ("base64", Array(Base64.encode(bytes, padded: false).utf8)),
            ("base64url", Array(Base64.encode(bytes, alphabet: .urlSafe, padded: false).utf8)),
        ]
        return places.flatMap { place in
            forms.filter { stands($0.1, in: place) }.map { "\(place.name): \($0.0)" }
        }
    }

    private func stands(_ bytes: [UInt8], in place: Place) -> Bool {
        if bytes.count >= 8 {
            let first = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard place.windows.contains(first) else { return false }
        }
        return place.contents.firstRange(of: Data(bytes)) != nil
    }
}
