import Provisioning

extension AttemptOverview.Failures {
    /// Adds up failures that count one each, the newest first: so many as are told apart, by problem and connection, the
    /// most frequent first.
    static func summed(_ newest: [AttemptOverview.Failures]) -> [AttemptOverview.Failures] {
        var sums: [[String]: AttemptOverview.Failures] = [:]
        for failure in newest.prefix(OverviewQuery.failureLimit) {
            sums[[failure.code.rawValue, failure.connection], default: failure.none].count += 1
        }
        return sums.sorted { ($1.value.count, $0.key[0], $0.key[1]) < ($0.value.count, $1.key[0], $1.key[1]) }
            .map(\.value)
    }

    /// The same, with none counted.
    private var none: AttemptOverview.Failures {
        var none = self
        none.count = 0
        return none
    }
}
