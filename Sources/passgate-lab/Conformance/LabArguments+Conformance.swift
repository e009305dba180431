import ProviderConformance
import Provisioning

extension LabArguments {
    mutating func conformance() throws(UsageProblem) -> LabCommand {
        var options = ConformanceOptions()
        while let option = rest.popFirst() {
            switch option {
            case "--json": options.json = true
            case "--against": options.against = try value(of: option)
            case "--config": options.configuration = try value(of: option)
            case "--connection": options.connection = try value(of: option)
            case "--card": try addCard(try value(of: option), to: &options)
            case "--last4": options.last4 = try value(of: option)
            case "--network": options.network = try value(of: option)
            case "--provider-cardholder": options.cardholder = try value(of: option)
            case _ where option.hasPrefix("-") || !options.provider.isEmpty: throw unknown(option)
            default: options.provider = option
            }
        }
        guard !options.provider.isEmpty else {
            throw UsageProblem(description: "conformance needs a provider, such as increase")
        }
        try check(options)
        return .conformance(options)
    }

    /// `ID`, or `SITUATION=ID`.
    private func addCard(_ text: String, to options: inout ConformanceOptions) throws(UsageProblem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let situation = parts.count == 2 ? parts[0] : Situation.cardExists.rawValue
        let known = Situation.allCases.filter(\.isProcessorsOwn).map(\.rawValue)
        guard known.contains(situation), let id = parts.last, !id.isEmpty else {
            throw UsageProblem(
                description: "--card takes ID or SITUATION=ID, with one of \(known.joined(separator: ", "))")
        }
        options.cards[situation] = id
    }

    private func check(_ options: ConformanceOptions) throws(UsageProblem) {
        if let url = options.against, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
            throw UsageProblem(description: "--against takes a URL, such as https://sandbox.processor.example")
        }
        if options.against == nil, !options.cards.isEmpty || options.connection != nil {
            throw UsageProblem(description: "--card and --connection are for --against URL")
        }
        guard options.last4.utf8.count == 4, options.last4.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw UsageProblem(description: "--last4 takes four digits")
        }
        guard CardNetwork(options.network) != nil else {
            throw UsageProblem(description: "--network takes visa, mastercard, amex, discover, or a domestic scheme")
        }
    }
}
