/// What `trigger` needs.
struct TriggerOptions: Equatable {
    var event = ""
    var sandbox = "http://127.0.0.1:8090"
    /// Where the webhook goes; nil for the connection that `make serve` has for the processor.
    var url: String?
    /// The processor's card that the webhook is about; nil for the one that was last added to a wallet.
    var card: String?
    var json = false
}

extension LabArguments {
    mutating func trigger() throws(UsageProblem) -> LabCommand {
        var options = TriggerOptions()
        while let option = rest.popFirst() {
            switch option {
            case "--json": options.json = true
            case "--sandbox": options.sandbox = try value(of: option)
            case "--to": options.url = try value(of: option)
            case "--card": options.card = try value(of: option)
            case let event where !event.hasPrefix("-") && options.event.isEmpty: options.event = event
            default: throw unknown(option)
            }
        }
        guard !options.event.isEmpty else {
            throw UsageProblem(description: "trigger needs an event, such as digital_wallet_token.updated")
        }
        for url in [options.sandbox, options.url ?? options.sandbox]
        where !url.hasPrefix("http://") && !url.hasPrefix("https://") {
            throw UsageProblem(description: "--sandbox and --to take URLs, such as http://127.0.0.1:8090")
        }
        return .trigger(options)
    }
}
