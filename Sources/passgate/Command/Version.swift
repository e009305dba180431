import ProviderKit
import SecretMemory

/// Which passgate this is.
enum Version {
    static let current = "0.1.0"
}

extension Command {
    /// `passgate version`
    static let version = Command(
        name: "version", summary: "say which version this is",
        explanation: "Prints the version, and nothing else is read or changed.", options: [.json, .help]
    ) { arguments, console in
        if arguments.has(.json) {
            var json = JSONWriter(capacity: 64)
            json.object { $0.member("version", Version.current) }
            console.output(json.finishText())
        } else {
            console.output("passgate \(Version.current)")
        }
        return .success
    }
}
