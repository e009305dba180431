import Storage

/// Writes Prometheus' text format, version 0.0.4, in a steady order.
struct PrometheusWriter {
    /// What a family's samples are.
    enum Kind: String {
        /// Only grows, until the process ends.
        case counter
        /// Goes up and down.
        case gauge
        /// Values by bounds.
        case histogram
    }

    /// The labels of a sample, in the order that they are written.
    typealias Labels = [(name: String, value: String)]

    /// One value of a family.
    struct Sample {
        let labels: Labels
        let value: String

        init(_ labels: Labels, _ value: some CustomStringConvertible) {
            self.labels = labels
            self.value = value.description
        }
    }

    private var lines: [String] = []

    /// Everything that was written.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Writes a family of one sample; nil leaves the sample out.
    mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: (some CustomStringConvertible)?) {
        family(name, kind, help, value.map { [Sample([], $0)] } ?? [])
    }

    /// Writes a family with its samples, sorted by their labels.
    mutating func family(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        describe(name, kind, help)
        lines += samples.map { "\(name)\(Self.text(of: $0.labels)) \($0.value)" }.sorted()
    }

    /// Writes a family of histograms, sorted by their one label; an empty name is no label.
    mutating func histograms(_ name: String, _ help: String, by label: String = "", _ values: [String: Histogram]) {
        describe(name, .histogram, help)
        for (value, histogram) in values.sorted(by: { $0.key < $1.key }) {
            let labels: Labels = label.isEmpty ? [] : [(label, value)]
            var sum = 0
            for (bound, count) in zip(histogram.bounds, histogram.buckets) {
                sum += count
                lines.append("\(name)_bucket\(Self.text(of: labels + [("le", "\(bound)")])) \(sum)")
            }
            lines.append("\(name)_bucket\(Self.text(of: labels + [("le", "+Inf")])) \(histogram.count)")
            lines.append("\(name)_sum\(Self.text(of: labels)) \(histogram.sum)")
            lines.append("\(name)_count\(Self.text(of: labels)) \(histogram.count)")
        }
    }

    private mutating func describe(_ name: String, _ kind: Kind, _ help: String) {
        lines.append("# HELP \(name) \(help)")
        lines.append("# TYPE \(name) \(kind.rawValue)")
    }

    private static func text(of labels: Labels) -> String {
        if labels.isEmpty { return "" }
        let texts = labels.map { label in
            var value = ""
            for character in label.value {
                switch character {
                case "\\": value += "\\\\"
                case "\"": value += "\\\""
                case "\n": value += "\\n"
                default: value.append(character)
                }
            }
            return "\(label.name)=\"\(value)\""
        }
        return "{\(texts.joined(separator: ","))}"
    }
}
