import EventLoop
import Foundation
import Gateway
import Provisioning
import Storage
import Testing

@testable import Facade

struct MetricsTests {
    private static let path = "/v1/cards/c1/provisionings"
    private static let body =
        #"{"wallet":"google_pay","google_pay":{"wallet_id":"canary-wallet","device_id":"canary-device"}}"#

    @Test func countsAttemptsAndRequests() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            _ = await fixture.send("POST", Self.path, body: Self.body)
            let answer = await fixture.admin("GET", "/metrics")
            #expect(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            let lines = Set(answer.text.split(separator: "\n").map(String.init))
            for line in [
                #"passgate_requests_total{route="/v1/cards/{card}/provisionings",method="POST",class="2xx",status="201"} 1"#,
                #"passgate_provisionings_total{provider="scripted",wallet="google_pay",outcome="handed_off"} 1"#,
                #"passgate_upstream_seconds_count{connection="main"} 1"#,
                #"passgate_gateway_seconds_count{route="/v1/cards/{card}/provisionings"} 1"#,
                #"passgate_connection_breaker_open{connection="main"} 0"#,
                #"passgate_connection_retry_budget{connection="main"} 10"#,
                #"passgate_connection_certificate_end_timestamp_seconds{connection="main"} 2000000000.0"#,
                #"passgate_guard_stops_total{program="rides"} 0"#,
                "passgate_requests_in_flight 0", "passgate_store_up 1", "passgate_events_outstanding 0",
                "passgate_dead_letters 0", #"passgate_build_info{version="1.2.3"} 1"#,
            ] {
                #expect(lines.contains(line), "\(line)")
            }
            #expect(!answer.text.contains("canary") && !answer.text.contains("c1\""))
            #expect(await fixture.admin("GET", "/").code == "route_not_found")
            #expect(await fixture.admin("PUT", "/metrics").status == 405)
        }
    }

    @Test func everyFamilyIsDescribedOnceAndNamedAsOurs() async throws {
        try await FacadeFixture.run { fixture in
            let lines = await fixture.admin("GET", "/metrics").text.split(separator: "\n").map(String.init)
            let types = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
            let helps = lines.filter { $0.hasPrefix("# HELP ") }.map { $0.split(separator: " ")[2] }
            #expect(types == helps && Set(types).count == types.count && types.count > 25)
            #expect(types.allSatisfy { $0.hasPrefix("passgate_") })
            let bases = Set(types.map(String.init))
            for sample in lines where !sample.hasPrefix("#") {
                var name = String(sample.prefix { $0 != "{" && $0 != " " })
                for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) && !bases.contains(name) {
                    name = String(name.dropLast(suffix.count))
                }
                #expect(bases.contains(name), "\(sample)")
            }
        }
    }

    @Test func whatTheGatewayAddsIsToldApartFromTheProcessor() async throws {
        let metrics = Metrics()
        metrics.countRequest(route: "/v1/cards", method: "GET", status: 200, added: .milliseconds(3))
        metrics.observeUpstream(connection: "main", .seconds(2))
        let counts = metrics.snapshot
        #expect(counts.added["/v1/cards"]?.sum == 0.003)
        #expect(counts.added["/v1/cards"]?.buckets == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
        #expect(counts.upstream["main"]?.buckets == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
    }

    @Test func aMigrationsSidesAreCounted() async throws {
        try await FacadeFixture.run { fixture in
            try await fixture.open(
                StoredMigration(
                    id: "mig_1", program: "rides", from: "main", to: "token", mode: .live,
                    cohort: .percent(basisPoints: 2500), at: FixedClock().now))
            let lines = Set(await fixture.admin("GET", "/metrics").text.split(separator: "\n").map(String.init))
            for line in [
                #"passgate_migration_cohort_ratio{program="rides"} 0.25"#,
                #"passgate_migration_paused{program="rides"} 0"#,
                #"passgate_migration_attempts{program="rides",side="to",connection="token"} 0"#,
                #"passgate_migration_observed{program="rides",side="from",connection="main",stage="handoff"} 0"#,
            ] {
                #expect(lines.contains(line), "\(line)")
            }
        }
    }

    @Test func labelsAreEscaped() {
        var text = PrometheusWriter()
        text.family("a", .gauge, "b.", [.init([("c", "\"\\\n")], 1)])
        #expect(text.text == "# HELP a b.\n# TYPE a gauge\na{c=\"\\\"\\\\\\n\"} 1\n")
    }

    @Test func theKernelTellsOfTheProcess() throws {
        let figures = try #require(ProcessFigures.now)
        #expect(figures.residentBytes > 1 << 20 && figures.openFiles >= 3)
        let file = try InputFile(path: "/proc/self/stat")
        let opened = try #require(ProcessFigures.now)
        #expect(opened.openFiles > 0)
        _ = try file.read(atMost: 1)
    }
}
