/// What `bench` needs.
struct BenchOptions: Equatable {
    /// How long is measured.
    var seconds = 10
    /// A gateway that runs already; nil starts one, and a sandbox beside it.
    var running: RunningGateway?
    var json = false

    /// A gateway that is there, and the sandbox that its connection leads to.
    struct RunningGateway: Equatable {
        var url = ""
        var key = ""
        var program: String?
        var sandbox = "http://127.0.0.1:8090"
        /// The gateway's connection to the processor; nil for the one that `make serve` has.
        var connection: String?
    }
}

extension LabArguments {
    mutating func bench() throws(UsageProblem) -> LabCommand {
        var options = BenchOptions()
        var running = BenchOptions.RunningGateway()
        var others: [String] = []
        while let option = rest.popFirst() {
            switch option {
            case "--json":
                options.json = true
                continue
            case "--seconds":
                guard let seconds = Int(try value(of: option)), (1...3600).contains(seconds) else {
                    throw UsageProblem(description: "--seconds takes a number from 1 to 3600")
                }
                options.seconds = seconds
                continue
            case "--gateway": running.url = try value(of: option)
            case "--key": running.key = try value(of: option)
            case "--program": running.program = try value(of: option)
            case "--sandbox": running.sandbox = try value(of: option)
            case "--connection": running.connection = try value(of: option)
            default: throw unknown(option)
            }
            others.append(option)
        }
        if let other = others.first {
            guard !running.url.isEmpty, !running.key.isEmpty else {
                throw UsageProblem(description: "\(other) is about a running gateway, which needs --gateway and --key")
            }
            for url in [running.url, running.sandbox] where !url.hasPrefix("http://") && !url.hasPrefix("https://") {
                throw UsageProblem(
                    description: "--gateway and --sandbox take URLs, such as http://127.0.0.1:8080")
            }
            options.running = running
        }
        return .bench(options)
    }
}
