import ConfigurationFile
import HTTPClient
import ProviderKit

/// `passgate check --ready`: asks the gateway that runs on this machine whether it is ready.
struct ReadinessQuestion {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    /// Asks the facade where the source says that it listens, and tells what came of it.
    func ask(_ source: ConfigurationSource) async -> ExitCode {
        guard let listen = ConfigurationReader.listen(in: source), listen.port != 0 else {
            let why = "\(arguments.configuration) does not say on which port the gateway listens"
            tell(isReady: false, url: nil, why)
            return .configuration
        }
        let url = "http://\(listen.nearest)/readyz"
        let isReady = await Self.status(of: url, host: "\(listen.nearest)") == 200
        tell(isReady: isReady, url: url, isReady ? "the gateway is ready" : "the gateway is not ready")
        return isReady ? .success : .unavailable
    }

    /// The status of the answer; nil where there was none.
    static func status(of url: String, host: String) async -> Int? {
        let workers = Workers(count: 1)
        defer { workers.stop() }
        var options = TransportOptions()
        options.allowPlainHTTPHosts = [host]
        let question = UpstreamRequest(.get, url, deadline: .now + .seconds(2))
        return try? await workers.client.transport(options).send(question).status
    }

    private func tell(isReady: Bool, url: String?, _ words: String) {
        guard arguments.has(.json) else { return isReady ? console.output(words) : console.error(words) }
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.member("ready", isReady)
            json.member("url", url)
        }
        console.output(json.finishText())
    }
}
