import Assets
import Crypto
import ProviderKit
import SecretMemory

/// The description of the API, as `Contracts/openapi.json` has it but for the URL that it is served under.
struct APIDescription {
    /// The document.
    let text: String
    /// Its entity tag, with the quotes.
    let tag: String

    /// The URL that the file has as its server. It stands for the gateway's own.
    static let placeholder = #""https://passgate.example""#

    private static let parts: (head: Substring, tail: Substring) = {
        let file = Asset.apiDescription.text
        guard let servers = file.firstRange(of: #""servers": ["#),
            let url = file[servers.upperBound...].firstRange(of: placeholder)
        else { return (file[...], "") }
        return (file[..<url.lowerBound], file[url.upperBound...])
    }()
    private static let digest = SHA256.digest(of: Asset.apiDescription.bytes)

    /// The document of a gateway.
    ///
    /// - Parameter publicURL: What the gateway's URLs begin with, without a slash at its end.
    init(publicURL: String) {
        var url = JSONWriter()
        url.value(publicURL)
        text = Self.parts.head + url.finishText() + Self.parts.tail
        tag = Self.entityTag(of: Self.digest + Array(publicURL.utf8))
    }

    /// An entity tag for content that those bytes stand for.
    static func entityTag(of bytes: [UInt8]) -> String {
        let letters = Base64.encode(SHA256.digest(of: bytes)).utf8.map { byte -> UInt8 in
            switch byte {
            case 0x2b: 0x2d
            case 0x2f: 0x5f
            default: byte
            }
        }
        return "\"\(String(decoding: letters.prefix(22), as: UTF8.self))\""
    }
}
