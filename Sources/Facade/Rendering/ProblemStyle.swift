import Assets
import Crypto
import SecretMemory

/// How an error page looks, and the policy that lets it be nothing else.
enum ProblemStyle {
    /// The whole style sheet. Nothing is loaded.
    static let sheet = "\n" + Asset.problemStyle.text

    /// Nothing may run, load, frame or be sent; only this very style sheet counts.
    static let policy = """
        default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.digest(of: Array(sheet.utf8))))'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """
}
