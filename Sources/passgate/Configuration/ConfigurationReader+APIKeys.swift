import Facade
import ProviderKit
import SecretMemory

extension ConfigurationReader {
    /// Who may call.
    func readAPIKeys(_ top: ConnectionSettings, programs: Set<String>, cryptography: any AdapterCryptography)
        -> [APIKey]
    {
        var keys: [APIKey] = []
        var seen: Set<String> = []
        for section in top.list("api_keys") {
            let name = section.text("name")
            if let name {
                checkName(name, at: "\(section.keyPath).name")
                if !seen.insert(name).inserted { section.problem("name", "is used by another key") }
            }
            let digest = readDigest(section, cryptography)
            let scopes = readScopes(section)
            let confined = readConfinement(section, programs: programs)
            guard let name, let digest else { continue }
            if keys.contains(where: { $0.digest == digest }) {
                section.problem(section.has("key") ? "key" : "key_sha256", "is the same key as one before it")
            }
            keys.append(APIKey(name: name, digest: digest, scopes: scopes, programs: confined))
        }
        return keys
    }

    private func readDigest(_ section: ConnectionSettings, _ cryptography: any AdapterCryptography) -> [UInt8]? {
        switch (section.has("key"), section.has("key_sha256")) {
        case (false, false):
            section.problem("key", "is missing: give key, or key_sha256")
            return nil
        case (true, true):
            section.problem("key_sha256", "give key or key_sha256, not both")
            return nil
        case (true, false):
            guard let key = section.secret("key") else { return nil }
            let advice = "32 random bytes in base64url or hex; echo pgk_$(openssl rand -hex 32) makes one"
            guard key.bytes.withSpan(isKey) else {
                section.problem("key", "must be pgk_ and at least 32 characters, best \(advice)")
                return nil
            }
            let capacity = key.bytes.withSpan { SecretDigits.capacity(of: $0.extracting(4..<$0.count)) }
            if capacity < 32 { section.warning("key", "cannot hold 32 random bytes; better \(advice)") }
            return cryptography.sha256([key.bytes])
        case (false, true):
            guard let text = section.secret("key_sha256") else { return nil }
            guard let digest = SecretDigits.hex(text.bytes), digest.count == 32 else {
                section.problem("key_sha256", "must be the SHA-256 of the whole key, in 64 hex digits")
                return nil
            }
            return digest.reveal()
        }
    }

    /// Whether it is `pgk_` and at least 32 characters that a bearer token may hold.
    private func isKey(_ text: Span<UInt8>) -> Bool {
        let prefix = Array("pgk_".utf8)
        guard text.count >= prefix.count + 32, prefix.indices.allSatisfy({ text[$0] == prefix[$0] }) else {
            return false
        }
        return (prefix.count..<text.count).allSatisfy { isTokenByte(text[$0]) }
    }

    private func readScopes(_ section: ConnectionSettings) -> Set<Scope> {
        guard section.has("scopes") else {
            section.problem("scopes", "is missing: name what the key may do")
            return []
        }
        let known = Scope.allCases.map(\.rawValue)
        var scopes: Set<Scope> = []
        for (key, text) in section.entries("scopes") {
            if let scope = Scope(rawValue: text.reveal()) {
                scopes.insert(scope)
                continue
            }
            let advice =
                NearestName.of(text.reveal(), among: known).map { "did you mean \($0)?" }
                ?? "there are \(known.joined(separator: ", "))"
            section.problem(key, "is not a scope; \(advice)")
        }
        return scopes
    }

    private func readConfinement(_ section: ConnectionSettings, programs: Set<String>) -> Set<String>? {
        guard section.has("programs") else { return nil }
        let entries = section.entries("programs")
        for (key, text) in entries where !programs.contains(text.reveal()) {
            let nearest = NearestName.of(text.reveal(), among: programs).map { "; did you mean \($0)?" } ?? ""
            section.problem(key, "there is no program of that name\(nearest)")
        }
        return Set(entries.map { $0.text.reveal() })
    }

    /// Whether a bearer token may hold the byte (RFC 6750).
    private func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e, 0x2f, 0x3d, 0x5f, 0x7e: true
        default: false
        }
    }
}
