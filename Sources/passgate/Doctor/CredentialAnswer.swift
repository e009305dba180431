import HTTPClient
import ProviderKit
import Provisioning
import SecretMemory

/// The way to a processor's host.
struct Way: Sendable {
    /// Scheme, host and port; nil where nobody was asked.
    let origin: String?
    /// What was met there.
    let finding: ConnectionProbe.Finding?

    /// How long the host's certificate is good for.
    func certificates(_ subject: String) -> [Finding] {
        guard case .connected(let text?) = finding else { return [] }
        return CertificateAge.findings(subject, "server_certificate", SecretText(text), whenEnded: .unavailable)
    }

    /// What kept an answer from coming.
    var words: String {
        let host = origin ?? "the processor"
        return switch finding {
        case .unresolved: "the name in \(host) does not resolve"
        case .refused: "\(host) refuses connections, or cannot be reached"
        case .timedOut: "\(host) does not answer"
        case .tls(let trouble): "\(host): \(Self.words(trouble))"
        case .connected: "\(host) can be connected to, and gave no whole answer in time"
        case .other(let number): "\(host) cannot be reached (libcurl \(number))"
        case nil: "nothing could be sent"
        }
    }

    private static func words(_ trouble: ConnectionProbe.TLSTrouble) -> String {
        switch trouble {
        case .unknownAuthority: "nobody who is trusted vouches for its certificate; ca names others to trust"
        case .expired: "its certificate has ended"
        case .notYetValid: "its certificate has not begun: look at this machine's clock"
        case .wrongHost: "its certificate is another host's"
        case .revoked: "its certificate was revoked"
        case .untrusted: "its certificate is not trusted"
        case .handshake: "TLS fails: it speaks none, too old a version, or wants client_certificate"
        }
    }
}

/// What a processor said to the question for the credentials.
struct CredentialAnswer: Sendable {
    let subject: String
    let question: CredentialQuestion
    /// Nil where the credentials are taken.
    let failure: ProvisioningError?

    /// The finding, with what the way tells where no answer came.
    func told(with way: Way) -> Finding {
        guard let failure else {
            let limits = question.limits.map { ". \($0)" } ?? ""
            return Finding(subject, "credentials", .fine, "taken: asked for \(question.words)\(limits)")
        }
        let status = failure.upstream?.status.map { "\($0)" }
        let code = failure.upstream?.code.map { " \($0)" } ?? ""
        let answer = status.map { "the processor answered \($0)\(code)" }
        switch failure.code {
        case .providerUnauthorized:
            return Finding(subject, "credentials", .unavailable, "refused: \(answer ?? "the processor said no")")
        case .providerRateLimited:
            return Finding(subject, "credentials", .warning, "not known: \(answer ?? "too many requests")")
        case _ where answer == nil:
            return Finding(subject, "credentials", .unavailable, "not known: \(way.words)")
        default:
            let words = "not known: \(answer ?? ""), which is \(failure.code.rawValue)"
            return Finding(subject, "credentials", .unavailable, words)
        }
    }
}
