import Foundation
import SecretMemory

/// Looks for secrets where they must not be: as they are, in base64, in base64url and in hex.
struct SecretSearch {
    private let places: [(name: String, contents: Data)]

    init(_ places: [(name: String, contents: Data)]) { self.places = places }

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
            forms.filter { place.contents.firstRange(of: Data($0.1)) != nil }.map { "\(place.name): \($0.0)" }
        }
    }
}
