import ProviderKit
import Provisioning
import Storage

/// Notes the steps of one attempt as they happen.
struct Timeline: Sendable {
    private let clock: any WallClock
    private(set) var steps: [TimelineStep] = []

    init(clock: any WallClock) { self.clock = clock }

    /// Notes a step that happens now, or happened at that moment.
    mutating func add(
        _ step: String, at moment: Timestamp? = nil, source: String = "gateway", code: String? = nil,
        detail: String? = nil
    ) {
        steps.append(TimelineStep(at: moment ?? clock.now, step: step, source: source, code: code, detail: detail))
    }
}
