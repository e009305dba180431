import Foundation
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// The admin listener of the real command.
@Suite(.serialized)
struct AdminEndToEndTests {
    /// The whole answer of a listener to a request without a key.
    private func answer(of port: UInt16, to method: String, _ path: String) async throws -> String {
        let caller = try RawCaller(port: port)
        try caller.send(method, path)
        caller.halfClose()
        return try await caller.rest()
    }

    @Test func metricsTellWhatTheGatewayHasDone() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            for status in [201, 409] {
                let answer = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
                #expect(answer.status == status)
            }
            let admin = house.gateway.configuration.adminPort
            let metrics = try await answer(of: admin, to: "GET", "/metrics")
            let parts = metrics.split(separator: "\r\n\r\n", maxSplits: 1)
            #expect(parts.first?.hasPrefix("HTTP/1.1 200 ") == true)
            #expect(parts.first?.lowercased().contains("content-type: text/plain; version=0.0.4") == true)
            let lines = Set((parts.last ?? "").split(separator: "\n").map(String.init))
            let route = "/v1/cards/{card}/provisionings"
            let expected = [
                "passgate_requests_total{route=\"\(route)\",method=\"POST\",class=\"2xx\",status=\"201\"} 1",
                "passgate_requests_total{route=\"\(route)\",method=\"POST\",class=\"4xx\",status=\"409\"} 1",
                "passgate_requests_in_flight 0",
                "passgate_upstream_seconds_count{connection=\"increase_demo\"} 1",
                "passgate_upstream_seconds_bucket{connection=\"increase_demo\",le=\"+Inf\"} 1",
            ]
            for line in expected { #expect(lines.contains(line), "\(line) is not in \(metrics)") }
            let attempts = lines.filter { $0.hasPrefix("passgate_provisionings_total{") }
            #expect(attempts.count == 1)
            #expect(attempts.first?.contains("provider=\"increase\",wallet=\"apple_pay\"") == true)
            #expect(!metrics.contains("card_1") && !metrics.contains(house.gateway.configuration.apiKey.reveal()))
        }
    }

    @Test func metricsAreThereAndNowhereElse() async throws {
        try await House.with { house in
            let gateway = house.gateway.configuration
            let cases: [(port: UInt16, method: String, path: String, status: Int, code: String)] = [
                (gateway.port, "GET", "/metrics", 404, "route_not_found"),
                (gateway.adminPort, "POST", "/metrics", 405, "method_not_allowed"),
                (gateway.adminPort, "GET", "/v1/capabilities", 404, "route_not_found"),
            ]
            for (port, method, path, status, code) in cases {
                let answer = try await answer(of: port, to: method, path)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                #expect(answer.contains("application/problem+json") && answer.contains("\"code\":\"\(code)\""))
            }
        }
    }
}
