/// What `listen` needs.
struct ListenOptions: Equatable {
    var gateway = ""
    var key = ""
    var program: String?
    /// The event to follow from; nil follows from now on.
    var after: String?
    /// Whether the events that are there already are shown first.
    var showsOlder = false
    var json = false
}

extension LabArguments {
    mutating func listen() throws(UsageProblem) -> LabCommand {
        var options = ListenOptions()
        while let option = rest.popFirst() {
            switch option {
            case "--json": options.json = true
            case "--all": options.showsOlder = true
            case "--gateway": options.gateway = try value(of: option)
            case "--key": options.key = try value(of: option)
            case "--program": options.program = try value(of: option)
            case "--after": options.after = try value(of: option)
            default: throw unknown(option)
            }
        }
        for (name, value) in [("--gateway", options.gateway), ("--key", options.key)] where value.isEmpty {
            throw UsageProblem(description: "listen needs \(name)")
        }
        guard options.gateway.hasPrefix("http://") || options.gateway.hasPrefix("https://") else {
            throw UsageProblem(description: "--gateway takes a URL, such as http://127.0.0.1:8080")
        }
        if let after = options.after, !after.utf8.allSatisfy(Self.isInIdentifier) {
            throw UsageProblem(description: "--after takes the id of an event, such as evt_…")
        }
        return .listen(options)
    }
}
