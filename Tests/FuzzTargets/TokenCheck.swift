import Crypto
import JSON
import ProviderKit
import Sandbox
import SecretMemory

/// Signed tokens. With `sign:` before it, the rest is a header and claims with a line feed between them, signed with the
/// right key; else the input is a token in compact form.
struct TokenCheck: Sendable {
    private static let mark = Array("sign:".utf8)

    private let verifier: TokenVerifier
    private let signer: any JWTSigning

    init() throws {
        let pair = try TokenVerifier.makePair()
        verifier = pair.verifier
        signer = try OpenSSLCryptography().signer(pem: pair.privateKeyPEM, algorithm: "ES256")
    }

    func check(_ input: [UInt8]) async throws(BrokenPromise) {
        if input.starts(with: Self.mark) { return try checkSigned(input.dropFirst(Self.mark.count)) }
        guard let token = SecretText(utf8: SecretBytes(input)) else { return }
        try promise(verifier.read(token, with: JSONParser()) == nil, "a token is taken that nobody signed")
    }

    private func checkSigned(_ input: ArraySlice<UInt8>) throws(BrokenPromise) {
        let header = Array(input.prefix { $0 != 0x0a })
        let claims = Array(input.dropFirst(header.count + 1))
        let signed = "\(Self.digits(header)).\(Self.digits(claims))"
        guard let signature = try? signer.signature(of: SecretBytes(utf8: signed)) else {
            throw BrokenPromise("nothing could be signed")
        }
        let found = verifier.read(SecretText("\(signed).\(Self.digits(signature))"), with: JSONParser())
        let meant = (try? parsed(header), try? parsed(claims))
        try promise(found?.header.canonical == meant.0?.canonical || found == nil, "the header is another one")
        try promise(found?.claims.canonical == meant.1?.canonical || found == nil, "the claims are others")
        try promise((found != nil) == (meant.0 != nil && meant.1 != nil), "a signed token was not read as what it is")

        // Any other text of the same bytes is another token, and another signature is none.
        var flipped = signature
        flipped[input.count % flipped.count] ^= 1
        for other in [
            "\(signed).\(Self.digits(flipped))", "\(signed).\(Base64.encode(signature, alphabet: .urlSafe))",
            "\(signed).", signed, "\(signed).\(Self.digits(signature)).", "\(signed).\(Self.digits(signature))\n",
            "\(signed)A.\(Self.digits(signature))", "\(signed).\(Self.digits(signature.dropLast()))",
        ] {
            try promise(verifier.read(SecretText(other), with: JSONParser()) == nil, "another text is the same token")
        }
    }

    private func parsed(_ bytes: [UInt8]) throws -> JSONView { try JSONParser().parse(SecretBytes(bytes)).root }

    private static func digits(_ bytes: some Collection<UInt8>) -> String {
        Base64.encode(Array(bytes), alphabet: .urlSafe, padded: false)
    }
}
