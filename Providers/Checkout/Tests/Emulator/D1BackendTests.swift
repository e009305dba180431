import CheckoutEmulator
import Crypto
import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// What the simulated D1 takes, and what it refuses.
struct D1BackendTests {
    private let clock = FixedClock()
    private let now = FixedClock().now.seconds

    private func backend(_ form: D1Backend.TimestampForm = .numeric) throws -> D1Backend {
        D1Backend(
            issuerID: "ISSUER",
            keys: [
                "ec": try TokenVerifier(publicKeyPEM: TestKeys.publicPEM(of: TestKeys.p256)),
                "rsa": try TokenVerifier(publicKeyPEM: TestKeys.publicPEM(of: TestKeys.rsa)),
            ], timestampForm: form, json: JSONParser(), clock: clock)
    }

    /// A token of those claims, as JSON texts by name; one that is nil is left out.
    private func token(
        _ changes: [String: String?] = [:], header: String = #"{"alg":"ES256","kid":"ec"}"#,
        key: String = TestKeys.p256,
        algorithm: String = "ES256", altering: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> SecretText {
        var claims: [String: String?] = [
            "iss": #""https://oidc.d1.simulated.example/oidc/ISSUER""#,
            "aud": #""https://client-api.d1.simulated.example/oidc/ISSUER""#, "scope": #""thales:d1""#,
            "sub": #""crh_1""#, "iat": "\(now)", "exp": "\(now + 600)",
            "jti": "\"\(Base64.encode(SecureRandom.bytes(12)))\"",
        ]
        for (name, value) in changes { claims[name] = value }
        let written = claims.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.sorted()
        let signed = [header, "{\(written.joined(separator: ","))}"].map {
            Base64.encode(Array($0.utf8), alphabet: .urlSafe, padded: false)
        }.joined(separator: ".")
        let signer = try OpenSSLCryptography().signer(pem: SecretText(key), algorithm: algorithm)
        let signature = altering(try signer.signature(of: SecretBytes(utf8: signed)))
        return SecretText(signed + "." + Base64.encode(signature, alphabet: .urlSafe, padded: false))
    }

    private func refusal(_ token: SecretText, _ form: D1Backend.TimestampForm = .numeric) throws -> D1Refusal? {
        let backend = try backend(form)
        do throws(D1Refusal) {
            _ = try backend.take(token)
            return nil
        } catch {
            return error
        }
    }

    @Test func aTokenThatIsRightIsTakenOnce() throws {
        let backend = try backend()
        let token = try token()
        #expect(try backend.take(token) == "crh_1")
        #expect(throws: D1Refusal.reused) { try backend.take(token) }
        backend.reset()
        #expect(try backend.take(token) == "crh_1")
    }

    @Test func rs256IsTakenWithAnRSAKeyAlone() throws {
        let header = #"{"alg":"RS256","kid":"rsa","typ":"JWT"}"#
        #expect(try refusal(token(header: header, key: TestKeys.rsa, algorithm: "RS256")) == nil)
        let crossed = #"{"alg":"RS256","kid":"ec"}"#
        #expect(try refusal(token(header: crossed, key: TestKeys.rsa, algorithm: "RS256")) == .algorithm)
    }

    @Test(
        arguments: [
            (#"{"alg":"none","kid":"ec"}"#, .algorithm), (#"{"alg":"HS256","kid":"ec"}"#, .algorithm),
            (#"{"kid":"ec"}"#, .algorithm), (#"{"alg":"ES256"}"#, .key), (#"{"alg":"ES256","kid":"old"}"#, .key),
            (#"{"alg":"ES256","kid":"ec","typ":"at+jwt"}"#, .type), (#"["ES256"]"#, .form), ("{", .form),
        ] as [(String, D1Refusal)])
    func theHeaderNamesKeyAndAlgorithm(_ header: String, _ reason: D1Refusal) throws {
        #expect(try refusal(token(header: header)) == reason)
    }

    /// J08: the signature in DER, cut, or of another key.
    @Test func j08TheSignatureIsSixtyFourBytesOfTheKey() throws {
        #expect(try refusal(token(altering: { Array($0.dropLast()) })) == .signature)
        #expect(try refusal(token(altering: { [0] + $0 })) == .signature)
        #expect(
            try refusal(
                token(altering: { [0x30, 0x44, 0x02, 0x20] + $0.prefix(32) + [0x02, 0x20] + $0.dropFirst(32) }))
                == .signature)
        #expect(try refusal(token(key: TestKeys.otherP256)) == .signature)
        #expect(try refusal(SecretText(try token().reveal() + "=")) == .form)
        #expect(try refusal(SecretText("a.b")) == .form)
    }

    @Test(
        arguments: [
            ("iss", #""https://other.example""#, .issuer), ("iss", nil, .issuer), ("aud", #"["x"]"#, .audience),
            ("aud", nil, .audience), ("scope", #""thales:d2""#, .scope), ("scope", nil, .scope), ("sub", nil, .subject),
            ("sub", #""""#, .subject), ("jti", nil, .identifier), ("jti", #""""#, .identifier),
            ("jti", "7", .identifier),
        ] as [(String, String?, D1Refusal)])
    func everyClaimIsLookedAt(_ name: String, _ value: String?, _ reason: D1Refusal) throws {
        #expect(try refusal(token([name: value])) == reason)
    }

    /// J01, J03, J04, J07: a number is a number, a text a text, and 13 digits are milliseconds.
    @Test(arguments: [
        #""1796040600""#, #""soon""#, "null", "true", "1796040600.5", "1796040600000", "-1",
        #""2026-11-30T12:10:00.000""#,
    ])
    func j03J04TimesInAnotherFormAreRefused(_ expiry: String) throws {
        #expect(try refusal(token(["exp": expiry])) == .time)
        #expect(try refusal(token(["iat": expiry])) == .time)
    }

    @Test func j01TextsAreTakenWhereTheyWereAgreedOn() throws {
        let right = ["iat": #""2026-11-30T12:00:00.000""#, "exp": #""2026-11-30T12:14:59.999""#]
        #expect(try refusal(token(right), .iso8601) == nil)
        #expect(try refusal(token(), .iso8601) == .time)
        for text in [
            "2026-11-30T12:10:00", "2026-11-30T12:10:00.000Z", "2026-11-30 12:10:00.000", "2026-13-30T12:10:00.000",
        ] {
            #expect(try refusal(token(right.merging(["exp": "\"\(text)\""]) { $1 }), .iso8601) == .time)
        }
    }

    @Test(
        arguments: [
            (0, 600, nil), (0, 899, nil), (0, 900, .life), (0, 0, .life), (0, -1, .life), (60, 600, nil),
            (61, 600, .early), (-600, 600, .expired), (-599, 600, nil), (-960, 600, .expired),
        ] as [(Int64, Int64, D1Refusal?)])
    func j13LifeAndSkewHaveBounds(_ begins: Int64, _ lasts: Int64, _ reason: D1Refusal?) throws {
        let claims = ["iat": "\(now + begins)", "exp": "\(now + begins + lasts)"]
        #expect(try refusal(token(claims)) == reason)
    }
}
