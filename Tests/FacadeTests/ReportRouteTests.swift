import ProviderKit
import Provisioning
import Storage
import Testing

@Suite struct ReportRouteTests {
    @Test func aReportIsWholeBeforeThereIsAnythingToCount() async throws {
        try await FacadeFixture.run { fixture in
            try await fixture.open(
                StoredMigration(
                    id: "mig_1", program: "rides", from: "main", to: "token", mode: .live,
                    cohort: .percent(basisPoints: 1000),
                    guard: StoredMigration.Guard(minAttempts: 50, margin: 0.05, action: .rollback),
                    at: Timestamp(milliseconds: 1_769_854_830_456)))
            let answer = await fixture.send("GET", "/v1/migrations/mig_1/report")
            #expect(answer.status == 200)
            let rate = #"{"observed":0,"succeeded":0,"rate":null,"interval":null}"#
            func side(_ name: String, _ provider: String) -> String {
                #"{"connection":"\#(name)","provider":"\#(provider)","attempts":0,"handed_off":0,"left_alone":0,"#
                    + #""handoff":\#(rate),"activation":\#(rate),"#
                    + #""latency_ms":{"sample":0,"gateway":null,"provider":null},"top_codes":[]}"#
            }
            #expect(
                answer.text
                    == #"{"object":"migration_report","migration":"mig_1","program":"rides","mode":"live","#
                    + #""status":"open","#
                    + #""window":{"from":"2026-01-31T10:20:30.456Z","to":"2026-01-31T10:20:30.456Z"},"#
                    + #""active_by":"device","from":\#(side("main", "scripted")),"to":\#(side("token", "tokens")),"#
                    + #""tokens_at_from":0,"app_cannot":{"served_by_other_side":0,"refused":0},"eligibility":null,"#
                    + #""guard":{"min_attempts":50,"margin":0.05,"action":"rollback","state":"waiting","#
                    + #""looked_at":null,"next_look_at":null,"looks":[]}}"#)
        }
    }

    @Test func aShadowsReportTellsWhatDiffers() async throws {
        try await FacadeFixture.run { fixture in
            try await fixture.open(
                StoredMigration(
                    id: "mig_1", program: "rides", from: "main", to: "sdk", mode: .shadow, cohort: .everyone,
                    at: Timestamp(milliseconds: 1_769_854_830_456)))
            try await fixture.found([
                ShadowFinding(migration: "mig_1", wallet: .applePay, kind: .eligibleAtFromOnly): 3
            ])
            let answer = await fixture.send("GET", "/v1/migrations/mig_1/report")
            let shadow = try #require(answer.json?["eligibility"])
            let wallet = try #require(shadow["wallets"]?.elements?.first)
            #expect(wallet["wallet"]?.string == "apple_pay" && wallet["agrees"]?.integer == 0)
            #expect(wallet["eligible_at_from_only"]?.integer == 3)
            #expect(answer.text.contains(#""proves_nothing":null"#) && answer.text.hasSuffix(#""guard":null}"#))
        }
    }

    @Test func aMigrationThatIsNotThereIsNotFound() async throws {
        try await FacadeFixture.run { fixture in
            for id in ["mig_2", "x%2Fy"] {
                #expect(await fixture.send("GET", "/v1/migrations/\(id)/report").code == "migration_not_found")
            }
            #expect(await fixture.send("GET", "/v1/migrations/mig_2/report?x=1").code == "invalid_request")
        }
    }
}
