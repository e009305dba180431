import ProviderKit
import Sandbox
import SecretMemory

/// What the bench saw: pairs of calls, one at the processor and one through the gateway.
struct BenchReport {
    /// Calls at the processor itself.
    private(set) var direct: [Duration] = []
    /// Calls through the gateway, each beside the direct one with its number.
    private(set) var throughGateway: [Duration] = []
    /// Why no more was measured.
    var failure: String?

    /// One call of each kind.
    mutating func add(direct: Duration, throughGateway: Duration) {
        self.direct.append(direct)
        self.throughGateway.append(throughGateway)
    }

    /// What the gateway added, for each pair.
    var added: [Duration] { zip(throughGateway, direct).map { $0 - $1 } }

    /// Calls through the gateway for each second that they took.
    var rate: Double {
        let seconds = throughGateway.reduce(.zero, +) / .seconds(1)
        return seconds > 0 ? Double(throughGateway.count) / seconds : 0
    }

    /// Whether there is something to tell, and nothing went wrong.
    var isGood: Bool { failure == nil && !direct.isEmpty }

    /// The time that so many of a hundred did not exceed, in milliseconds; nil of none.
    static func milliseconds(_ percent: Int, of times: [Duration]) -> Double? {
        guard !times.isEmpty else { return nil }
        let rank = (times.count * percent + 99) / 100
        return times.sorted()[min(max(rank, 1), times.count) - 1] / .milliseconds(1)
    }

    /// The table for people.
    var table: [String] {
        var table = TextTable([("", .left), ("p50 ms", .right), ("p90 ms", .right), ("p99 ms", .right)])
        for (name, _, times) in rows {
            table.add([name] + Self.percentiles.map { Self.text(Self.milliseconds($0, of: times)) })
        }
        return table.lines
    }

    /// The same for machines.
    var json: SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member("object", "bench")
            json.member("simulated", true)
            json.member("ok", isGood)
            json.member("provisionings", throughGateway.count)
            json.key("rate")
            json.value((rate * 10).rounded() / 10)
            for (_, member, times) in rows {
                json.member(
                    member,
                    object: { json in
                        for percent in Self.percentiles {
                            json.key("p\(percent)")
                            guard let time = Self.milliseconds(percent, of: times) else {
                                json.null()
                                continue
                            }
                            json.value((time * 1000).rounded() / 1000)
                        }
                    })
            }
            json.member("failure", failure)
        }
        return json.finish()
    }

    private static let percentiles = [50, 90, 99]

    private var rows: [(name: String, member: String, times: [Duration])] {
        [
            ("the processor alone", "direct_ms", direct), ("through the gateway", "gateway_ms", throughGateway),
            ("added by the gateway", "added_ms", added),
        ]
    }

    /// Two decimals.
    private static func text(_ number: Double?) -> String {
        guard let number else { return "–" }
        let hundredths = Int((abs(number) * 100).rounded())
        let fraction = hundredths % 100
        let sign = number < 0 && hundredths > 0 ? "-" : ""
        return "\(sign)\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
