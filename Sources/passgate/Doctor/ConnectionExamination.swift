import EventLoop
import Gateway
import HTTPClient
import ProviderKit
import Provisioning
import SecretMemory

/// Looks at one connection: its keys and certificates, its credentials, the clock, and the way to its processor.
struct ConnectionExamination: Sendable {
    /// How long the question for the credentials may take, and how long a look at the way after it.
    private static let patience: (question: Duration, way: Duration) = (.seconds(7), .seconds(3))
    /// By how many seconds clocks may differ without a word, and before signatures and codes are refused.
    private static let skew: (warning: Int64, problem: Int64) = (5, 60)

    let connection: Connection
    let watch: ConnectionWatch

    private var subject: String { "connections.\(connection.name)" }

    /// Everything that can be said. Run it on a loop.
    func findings() async -> [Finding] {
        let signers = watch.keys.map { Finding(subject, "signing_key", .fine, "signs: \($0)") }
        let own = ownCertificates()
        guard let check = connection.provider as? any CredentialCheck, let question = check.credentialQuestion else {
            let words = "nothing can be asked: this connection calls nobody before an attempt"
            return signers + own + [Finding(subject, "credentials", .note, words)]
        }
        let credentials = await ask(check, question)
        let way = await lookAtTheWay()
        return signers + own + [credentials.told(with: way)] + clock() + way.certificates(subject)
    }

    private func ask(_ check: any CredentialCheck, _ question: CredentialQuestion) async -> CredentialAnswer {
        do throws(ProvisioningError) {
            try await check.checkCredentials(deadline: .now + Self.patience.question)
            return CredentialAnswer(subject: subject, question: question, failure: nil)
        } catch {
            return CredentialAnswer(subject: subject, question: question, failure: error)
        }
    }

    /// Connects once more, without a request, to the host that was asked last.
    private func lookAtTheWay() async -> Way {
        guard let origin = watch.lastExchange?.origin else { return Way(origin: nil, finding: nil) }
        let thread = EventLoop(name: "passgate-probe")
        thread.start()
        defer { thread.stop() }
        let (options, limit) = (watch.options, Self.patience.way)
        let finding = await thread.run {
            ConnectionProbe.connect(to: origin + "/", options: options, within: limit)
        }.value
        return Way(origin: origin, finding: finding)
    }

    /// How far this machine's clock is from the processor's, whose `Date` has whole seconds.
    private func clock() -> [Finding] {
        guard let exchange = watch.lastExchange, exchange.status != nil else { return [] }
        guard let date = exchange.date else {
            return [Finding(subject, "clock", .note, "the processor's answer has no Date to compare clocks by")]
        }
        let ahead = exchange.middle.milliseconds - date.milliseconds - 500
        let seconds = (abs(ahead) + 500) / 1000
        let words = "this machine's clock is \(seconds) s \(ahead > 0 ? "ahead of" : "behind") the processor's"
        if seconds > Self.skew.problem {
            return [Finding(subject, "clock", .unavailable, "\(words): what is signed here is refused there")]
        }
        if seconds > Self.skew.warning { return [Finding(subject, "clock", .warning, words)] }
        return [Finding(subject, "clock", .fine, "this machine's clock is the processor's, within \(seconds + 1) s")]
    }

    /// The certificates that the configuration gives.
    private func ownCertificates() -> [Finding] {
        let given: [(check: String, text: SecretText?, whenEnded: Finding.Verdict)] = [
            ("client_certificate", watch.options.clientCertificate, .configuration),
            ("ca", watch.options.certificateAuthorities, .warning),
        ]
        return given.flatMap { check, text, verdict in
            text.map { CertificateAge.findings(subject, check, $0, whenEnded: verdict) } ?? []
        }
            + watch.certificates.flatMap {
                CertificateAge.findings(subject, "encryption_certificate", $0, whenEnded: .configuration)
            }
    }
}
