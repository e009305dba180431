/// Reads a command line.
struct LabArguments {
    var rest: ArraySlice<String>
    private let command: String

    /// The command that the arguments, without the program's name, stand for.
    static func parse(_ arguments: [String]) throws(UsageProblem) -> LabCommand {
        guard let command = arguments.first else { return .help }
        if arguments.contains("--help") || arguments.contains("-h") || command == "help" { return .help }
        var reader = LabArguments(rest: arguments.dropFirst(), command: command)
        switch command {
        case "demo": return try reader.demo()
        case "sandbox": return try reader.sandbox()
        case "try": return try reader.attempt()
        case "trigger": return try reader.trigger()
        case "listen": return try reader.listen()
        case "conformance": return try reader.conformance()
        case "bench": return try reader.bench()
        case "version", "--version": return .version
        default: throw UsageProblem(description: "there is no command \(command)")
        }
    }

    private mutating func demo() throws(UsageProblem) -> LabCommand {
        var json = false
        while let option = rest.popFirst() {
            guard option == "--json" else { throw unknown(option) }
            json = true
        }
        return .demo(json: json)
    }

    private mutating func sandbox() throws(UsageProblem) -> LabCommand {
        var json = false
        var port: UInt16 = 8090
        while let option = rest.popFirst() {
            switch option {
            case "--json": json = true
            case "--port":
                let text = try value(of: option)
                guard let number = UInt16(text) else {
                    throw UsageProblem(description: "--port takes a number from 0 to 65535; 0 takes a free one")
                }
                port = number
            default: throw unknown(option)
            }
        }
        return .sandbox(port: port, json: json)
    }

    private mutating func attempt() throws(UsageProblem) -> LabCommand {
        var options = TryOptions()
        while let option = rest.popFirst() {
            switch option {
            case "--json": options.json = true
            case "--gateway": options.gateway = try value(of: option)
            case "--key": options.key = try value(of: option)
            case "--card": options.card = try value(of: option)
            case "--wallet": options.wallet = try value(of: option)
            case "--channel": options.channel = try value(of: option)
            case "--cardholder": options.cardholder = try value(of: option)
            case "--program": options.program = try value(of: option)
            default: throw unknown(option)
            }
        }
        try check(options)
        return .attempt(options)
    }

    private func check(_ options: TryOptions) throws(UsageProblem) {
        for (name, value) in [("--gateway", options.gateway), ("--key", options.key), ("--card", options.card)]
        where value.isEmpty {
            throw UsageProblem(description: "try needs \(name)")
        }
        guard options.gateway.hasPrefix("http://") || options.gateway.hasPrefix("https://") else {
            throw UsageProblem(description: "--gateway takes a URL, such as http://127.0.0.1:8080")
        }
        guard (1...64).contains(options.card.utf8.count), options.card.utf8.allSatisfy(Self.isInIdentifier) else {
            throw UsageProblem(description: "--card takes 1 to 64 characters of A-Z, a-z, 0-9, _ and -")
        }
        guard ["apple_pay", "google_pay"].contains(options.wallet) else {
            throw UsageProblem(description: "--wallet takes apple_pay or google_pay")
        }
        guard ["in_app", "web"].contains(options.channel) else {
            throw UsageProblem(description: "--channel takes in_app or web")
        }
        if options.wallet == "apple_pay" && options.channel == "web" {
            throw UsageProblem(description: "there is no simulated device for Apple Pay on the web")
        }
    }

    static func isInIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
        default: false
        }
    }

    mutating func value(of option: String) throws(UsageProblem) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else {
            throw UsageProblem(description: "\(option) needs a value")
        }
        return value
    }

    func unknown(_ option: String) -> UsageProblem {
        UsageProblem(description: "\(command) has no option \(option)")
    }
}
