import Gateway

/// Renders the counts in Prometheus' text format, version 0.0.4, in a steady order.
enum PrometheusText {
    static func render(_ metrics: MetricsSnapshot) -> String {
        var lines: [String] = []
        describe("passgate_requests_total", "counter", "Answers by route and status.", in: &lines)
        lines += metrics.requests.map { request, count in
            "passgate_requests_total\(labels([("route", request.route), ("status", "\(request.status)")])) \(count)"
        }.sorted()
        describe("passgate_requests_in_flight", "gauge", "Requests that are being answered.", in: &lines)
        lines.append("passgate_requests_in_flight \(metrics.inFlight)")
        describe("passgate_provisionings_total", "counter", "Attempts by how they ended.", in: &lines)
        lines += metrics.attempts.map { attempt, count in
            let pairs = [("provider", attempt.provider), ("wallet", attempt.wallet), ("outcome", attempt.outcome)]
            return "passgate_provisionings_total\(labels(pairs)) \(count)"
        }.sorted()
        describe("passgate_deliveries_total", "counter", "Processors' webhooks by what was done with them.", in: &lines)
        lines += metrics.deliveries.map { delivery, count in
            let pairs = [("connection", delivery.connection), ("outcome", delivery.outcome)]
            return "passgate_deliveries_total\(labels(pairs)) \(count)"
        }.sorted()
        describe("passgate_event_deliveries_total", "counter", "Tries to send events, by outcome.", in: &lines)
        lines += metrics.outgoing.map { outcome, count in
            "passgate_event_deliveries_total\(labels([("outcome", outcome)])) \(count)"
        }.sorted()
        describe("passgate_upstream_seconds", "histogram", "How long calls to processors took.", in: &lines)
        for (connection, histogram) in metrics.upstream.sorted(by: { $0.key < $1.key }) {
            lines += render(histogram, of: connection)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func render(_ histogram: MetricsSnapshot.Histogram, of connection: String) -> [String] {
        let name = "passgate_upstream_seconds"
        var sum = 0
        var lines = zip(MetricsSnapshot.Histogram.bounds, histogram.buckets).map { bound, count in
            sum += count
            return "\(name)_bucket\(labels([("connection", connection), ("le", "\(bound)")])) \(sum)"
        }
        lines.append("\(name)_bucket\(labels([("connection", connection), ("le", "+Inf")])) \(histogram.count)")
        lines.append("\(name)_sum\(labels([("connection", connection)])) \(histogram.seconds)")
        lines.append("\(name)_count\(labels([("connection", connection)])) \(histogram.count)")
        return lines
    }

    private static func describe(_ name: String, _ type: String, _ help: String, in lines: inout [String]) {
        lines.append("# HELP \(name) \(help)")
        lines.append("# TYPE \(name) \(type)")
    }

    private static func labels(_ pairs: [(name: String, value: String)]) -> String {
        let texts = pairs.map { pair in
            var value = ""
            for character in pair.value {
                switch character {
                case "\\": value += "\\\\"
                case "\"": value += "\\\""
                case "\n": value += "\\n"
                default: value.append(character)
                }
            }
            return "\(pair.name)=\"\(value)\""
        }
        return "{\(texts.joined(separator: ","))}"
    }
}
