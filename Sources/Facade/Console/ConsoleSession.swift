import Crypto
import ProviderKit
import Provisioning
import SecretMemory

/// Who looks at the console: sealed into a cookie, so that nothing is kept of it here, and good for half an hour.
///
/// It names an API key by its digest, and what the key allowed when it was used to sign in. Every request looks the key up
/// again: one that is revoked, or allows something else, ends the session.
struct ConsoleSession: Sendable, Equatable {
    static let lifetimeMilliseconds: Int64 = 30 * 60 * 1000
    /// The prefix has browsers insist on `Secure`, on the path `/`, and on the very host that set it.
    static let cookie = "__Host-passgate"

    /// Tells it from other sessions: one that was ended is told by it.
    let id: String
    /// The key's digest.
    let keyDigest: [UInt8]
    /// What the key was named and allowed.
    let keyMark: [UInt8]
    /// What every change must bring in a header field: a page of another origin cannot read it.
    let token: String
    /// When it ends.
    let expiresAt: Timestamp

    /// A new session of a key.
    init(of key: APIKey, at now: Timestamp, _ cryptography: any AdapterCryptography) {
        id = Self.hex(cryptography.random(16))
        keyDigest = key.digest
        keyMark = Self.mark(of: key, cryptography)
        token = Self.hex(cryptography.random(32))
        expiresAt = now.adding(milliseconds: Self.lifetimeMilliseconds)
    }

    /// The session in a request's cookies; nil where there is none that this gateway sealed, or it has ended.
    init?(in headers: [(name: String, value: String)], opening keys: KeyRing, at now: Timestamp) {
        let values = headers.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }
            .compactMap { pair -> Substring? in
                let pair = pair.drop { $0 == " " }
                return pair.hasPrefix("\(Self.cookie)=") ? pair.dropFirst(Self.cookie.count + 1) : nil
            }
        guard values.count == 1,
            let opened = try? keys.open(String(values[0]), purpose: Self.purpose, associatedData: []),
            let fields = opened.revealText()?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
            fields.count == 5, let digest = Self.bytes(fields[1]), let mark = Self.bytes(fields[2]),
            let end = Int64(fields[4]), now.milliseconds < end
        else { return nil }
        id = fields[0]
        keyDigest = digest
        keyMark = mark
        token = fields[3]
        expiresAt = Timestamp(milliseconds: end)
    }

    /// The cookie's value, which only this gateway can make.
    func sealed(with keys: KeyRing) throws(CryptographyFailure) -> String {
        let fields = [id, Self.hex(keyDigest), Self.hex(keyMark), token, String(expiresAt.milliseconds)]
        return try keys.seal(
            SecretBytes(utf8: fields.joined(separator: "\n")), purpose: Self.purpose, associatedData: [])
    }

    /// Whether the key still is, and allows, what it did.
    func isOf(_ key: APIKey, _ cryptography: any AdapterCryptography) -> Bool {
        cryptography.constantTimeEquals(keyMark, Self.mark(of: key, cryptography))
    }

    private static let purpose = "console_session"

    private static func mark(of key: APIKey, _ cryptography: any AdapterCryptography) -> [UInt8] {
        let scopes = key.scopes.map(\.rawValue).sorted().joined(separator: " ")
        let programs = key.programs.map { $0.sorted().joined(separator: " ") } ?? "*"
        return cryptography.sha256([SecretBytes(utf8: [key.name, scopes, programs].joined(separator: "\n"))])
    }

    private static func hex(_ bytes: [UInt8]) -> String { Hexadecimal.encode(SecretBytes(bytes)).revealText() ?? "" }

    private static func bytes(_ text: String) -> [UInt8]? {
        Hexadecimal.decode(SecretBytes(utf8: text)).map { $0.reveal() }
    }
}
