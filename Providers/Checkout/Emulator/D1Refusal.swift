/// Why the simulated D1 does not take an authorization.
public enum D1Refusal: String, Error, Sendable, CaseIterable {
    /// Not three parts of unpadded base64url, the first two of them JSON objects.
    case form
    /// `typ` is another one than JWT.
    case type
    /// No key has that `kid`.
    case key
    /// `alg` is not that of the key.
    case algorithm
    /// The signature is not the key's, or is written in another form than 64 bytes r‖s.
    case signature
    /// `iss`
    case issuer
    /// `aud`
    case audience
    /// `scope`
    case scope
    /// `sub` is no cardholder, or not the card's.
    case subject
    /// `iat` or `exp` is missing, or written in another form than was agreed on.
    case time
    /// `exp` is not after `iat`, or 15 minutes after it or more.
    case life
    /// `iat` is yet to come.
    case early
    /// `exp` is past.
    case expired
    /// `jti` is missing.
    case identifier
    /// The authorization was shown before.
    case reused
}
