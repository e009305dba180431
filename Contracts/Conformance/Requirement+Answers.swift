import Provisioning

extension Requirement {
    /// The situation has its normalized answer; nil where it means nothing to the operation.
    static func answers(_ situation: Situation, for operation: Operation) -> Self? {
        switch (operation, situation) {
        case (.provision, .cardIneligible), (.eligibility, .handshakeRejected), (.eligibility, .alreadyProvisioned),
            (.eligibility, .deviceIneligible),
            // What upstream does while it is silent is a matter of cancellation.
            (_, .silent):
            return nil
        default: break
        }
        return Self("\(operation): \(situation.rawValue) has its normalized answer") { harness in
            if let reason = harness.absence(of: situation, for: operation) { return .notRun(reason) }
            if harness.exchanges(for: operation) == 0, situation != .cardExists {
                return .notRun("the provider answers by itself")
            }
            let stage = try await harness.stage(situation, for: operation)
            let attempt = await Attempt.make(operation, on: stage)
            try check(attempt, in: situation, for: operation)
            let complaints = stage.complaints()
            try Violation.unless(complaints.isEmpty, complaints.joined(separator: "\n"))
            return .kept
        }
    }

    private static func check(_ attempt: Attempt, in situation: Situation, for operation: Operation) throws(Violation) {
        if let failure = situation.failure {
            guard case .failure(let error) = attempt, failure.describes(error) else {
                throw Violation("expected \(failure), got \(attempt.summary)")
            }
            return
        }
        switch (operation, attempt) {
        case (.provision(let row), .handoff(let handoff)):
            try Violation.unless(
                handoff.type == row.handoff, "expected \(row.handoff.rawValue), got \(attempt.summary)")
        case (.eligibility, .eligibility(let eligibility)):
            let expected: Bool? =
                switch situation {
                case .cardIneligible: false
                case .enumValuesUnheardOf: nil
                default: true
                }
            try Violation.unless(
                eligibility.eligible == expected && (expected != false || eligibility.reason != nil),
                "expected eligible \(expected.map(String.init) ?? "null"), got \(attempt.summary)")
        default: throw Violation("expected success, got \(attempt.summary)")
        }
    }
}
