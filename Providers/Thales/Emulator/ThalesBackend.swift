import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Synchronization

/// Thales's side of its SDK, simulated: the holder of the key from onboarding, who opens envelopes and takes codes.
///
/// It is as strict as the published rules, and stricter where they leave room: hex in lower case alone, no member beyond
/// those it knows, and a `jti` that was never seen.
final class ThalesBackend: Sendable {
    /// What was in an envelope. The number is seen no further.
    struct OpenedCard: Sendable {
        /// `issuerCardRefId`
        let reference: String
        let last4: String
        let name: String
    }

    private let json: any JSONParsing
    private let clock: any WallClock
    private let usedIdentifiers = Mutex<Set<String>>([])

    init(json: any JSONParsing, clock: any WallClock) {
        self.json = json
        self.clock = clock
    }

    func reset() { usedIdentifiers.withLock { $0.removeAll() } }

    /// Opens an envelope, and checks the payload in it.
    func open(_ payload: SecretText) throws(DeviceFailure) -> OpenedCard {
        let isLowercase = payload.bytes.withSpan { span in
            for index in 0..<span.count where (0x41...0x5a).contains(span[index]) { return false }
            return true
        }
        guard isLowercase, let envelope = Hexadecimal.decode(payload.bytes) else {
            throw DeviceFailure("Thales reads the payload as lower-case hex, and this is none")
        }
        let content: SecretBytes
        do throws(LaboratoryFailure) {
            let opened = try ThalesOnboarding.shared.get().gateway.open(envelope)
            guard opened.keyTransport == .oaepSHA256 else {
                throw LaboratoryFailure("the onboarding agreed on RSA-OAEP with SHA-256, and this is another transport")
            }
            content = opened.content
        } catch {
            throw DeviceFailure("Thales cannot open the card: \(error)")
        }
        return try card(in: content)
    }

    /// Takes a code: it is the issuer's, for this wallet and subject, fresh, and never seen before.
    func redeem(_ code: SecretText, for wallet: Wallet, subject: String) throws(DeviceFailure) {
        guard case .success(let onboarding) = ThalesOnboarding.shared,
            let (header, claims) = onboarding.verifier.read(code, with: json)
        else { throw DeviceFailure("Thales does not take the code: it is no token that the issuer signed") }
        let audience =
            switch wallet {
            case .applePay: "APPLE_PAY"
            case .googlePay: "GOOGLE_PAY"
            case .samsungPay: "SAMSUNG_PAY"
            }
        try require(header["typ"]?.equals("JWT") == true, "its typ is not JWT")
        try require(header["alg"]?.equals("RS256") == true, "its alg is not RS256")
        try require(header["kid"]?.equals(ThalesOnboarding.keyID) == true, "its kid is not the agreed one")
        try require(claims["iss"]?.equals(ThalesOnboarding.issuerID) == true, "its iss is not the issuer's id")
        try require(claims["sub"]?.equals(subject) == true, "its sub is not the issuerCardRefId or token")
        try require(claims["aud"]?.equals(audience) == true, "its aud is not \(audience)")
        let now = Int(clock.now.seconds)
        guard let issuedAt = claims["iat"]?.integer, let expiresAt = claims["exp"]?.integer else {
            throw DeviceFailure("Thales does not take the code: iat and exp are not whole numbers of seconds")
        }
        try require(issuedAt <= now + 30, "it is from the future")
        try require(expiresAt > now, "it has ended")
        try require(expiresAt > issuedAt && expiresAt - issuedAt <= 300, "it lives longer than 300 s")
        guard let identifier = claims["jti"]?.string, !identifier.isEmpty else {
            throw DeviceFailure("Thales does not take the code: it has no jti")
        }
        let isNew = usedIdentifiers.withLock { $0.insert(identifier).inserted }
        try require(isNew, "its jti was seen before")
    }

    private func require(_ condition: Bool, _ reason: String) throws(DeviceFailure) {
        if !condition { throw DeviceFailure("Thales does not take the code: \(reason)") }
    }

    private func card(in content: SecretBytes) throws(DeviceFailure) -> OpenedCard {
        var reader = StrictReader()
        let known: Set = ["issuerCardRefId", "fpan", "exp", "cardHolderName"]
        let members = reader.members(of: try? json.parse(content).root, at: "payload", known: known) ?? [:]
        let reference = reader.text(members["issuerCardRefId"], at: "issuerCardRefId")
        let number = reader.text(members["fpan"], at: "fpan")
        let expiry = reader.text(members["exp"], at: "exp")
        let name = reader.text(members["cardHolderName"], at: "cardHolderName")
        if let number, number.wholeMatch(of: /[0-9]{12,19}/) == nil || !CardNumber.occurs(in: number.utf8) {
            reader.refuse("fpan", "is no card number")
        }
        if let expiry, expiry.wholeMatch(of: /(0[1-9]|1[0-2])[0-9]{2}/) == nil { reader.refuse("exp", "is not MMYY") }
        guard reader.problems.isEmpty, let reference, let number, let name else {
            let problems = reader.problems.map { "\($0.field) \($0.message)" }.joined(separator: ", ")
            throw DeviceFailure("Thales opened the card and cannot use it: \(problems)")
        }
        return OpenedCard(reference: reference, last4: String(number.suffix(4)), name: name)
    }
}
