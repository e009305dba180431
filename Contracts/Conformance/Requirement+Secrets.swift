import Provisioning

extension Requirement {
    /// No description shows a secret, and no failure passes upstream's text on.
    static func keepsSecrets(for operation: Operation) -> Self {
        Self("\(operation): no secret and no upstream text is in any description") { harness in
            var reason: String?
            var isRun = false
            for situation in Situation.allCases where situation != .silent {
                if let absence = harness.absence(of: situation, for: operation) {
                    reason = reason ?? absence
                    continue
                }
                if harness.exchanges(for: operation) == 0, situation != .cardExists { continue }
                if case .provision = operation, situation == .cardIneligible { continue }
                let stage = try await harness.stage(situation, for: operation)
                let attempt = await Attempt.make(operation, on: stage)
                isRun = true
                var secrets = stage.secrets()
                var shown = descriptions(of: stage.provider) + descriptions(of: stage.request)
                for request in stage.sent() { shown += descriptions(of: request) }
                switch attempt {
                case .handoff(let handoff):
                    secrets += handoff.secretTexts
                    shown += descriptions(of: handoff)
                case .eligibility(let eligibility): shown += descriptions(of: eligibility)
                case .failure(let error):
                    let told = descriptions(of: error)
                    shown += told
                    for text in stage.upstreamTexts() where told.contains(where: { $0.contains(text) }) {
                        throw Violation("\(situation.rawValue): the failure passes upstream's text on")
                    }
                }
                let leaks = secrets.indices.filter { index in
                    !secrets[index].isEmpty && shown.contains { $0.contains(secrets[index]) }
                }
                try Violation.unless(
                    leaks.isEmpty, "\(situation.rawValue): a description shows the secrets number \(leaks)")
            }
            return isRun ? .kept : .notRun(reason ?? "the provider answers by itself")
        }
    }

    private static func descriptions(of value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [String(describing: value), String(reflecting: value), dumped]
    }
}
