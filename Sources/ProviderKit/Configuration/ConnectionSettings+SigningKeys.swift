extension ConnectionSettings {
    /// The active one of the signing keys below `keys`: a list of `{ key_id, file, active }`.
    ///
    /// Every key is loaded and checked, so that a spare one is known to work before it is needed. Exactly one is active;
    /// a single key needs not say so.
    ///
    /// - Parameters:
    ///   - algorithm: `ES256` or `RS256`; a key of another kind is a problem.
    ///   - namesType: Whether tokens say `"typ":"JWT"`.
    public func signingKey(algorithm: String, namesType: Bool, kit: AdapterKit) -> TokenSigner? {
        let entries = list("keys")
        if entries.isEmpty { problem("keys", "needs at least one key") }
        var active: [TokenSigner] = []
        var declared = 0
        var seen: Set<String> = []
        for entry in entries {
            let keyID = entry.text("key_id")
            let pem = entry.file("file")
            let isActive = entry.flag("active", default: entries.count == 1)
            if isActive { declared += 1 }
            guard let keyID, let pem else { continue }
            if !seen.insert(keyID).inserted { entry.problem("key_id", "is used by another key of the list") }
            do throws(CryptographyFailure) {
                let key = try kit.cryptography.signer(pem: pem, algorithm: algorithm)
                if isActive { active.append(TokenSigner(keyID: keyID, key: key, namesType: namesType)) }
            } catch {
                entry.problem("file", error.description)
            }
        }
        if !entries.isEmpty, declared != 1 { problem("keys", "needs exactly one key with active: true") }
        return declared == 1 ? active.first : nil
    }
}
