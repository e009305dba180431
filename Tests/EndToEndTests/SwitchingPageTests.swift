import JSON
import ProviderKit
import SecretMemory
import Storage
import Testing

/// The ten commands of docs/switching.md work as they are printed, against what `make serve` runs.
@Suite(.serialized)
struct SwitchingPageTests {
    /// The JSON of each line that is some.
    private func objects(_ output: String) -> [JSONView] {
        output.split(separator: "\n").compactMap { try? JSONParser().parse(SecretBytes(utf8: String($0))).root }
    }

    /// Checks the attempt that an output ends with: a Stripe key is some lines long.
    private func expectAttempt(in output: String, by provider: String, with handoff: String) throws {
        let start = try #require(output.firstRange(of: #"{"object":"provisioning","#), "\(output)").lowerBound
        let attempt = try JSONParser().parse(SecretBytes(utf8: output[start...])).root
        #expect(attempt["provider"]?.string == provider && attempt["status"]?.string == "handed_off")
        #expect(attempt["handoff"]?["type"]?.string == handoff)
    }

    private func states(_ card: JSONView?) -> [String?] {
        (card?["bindings"]?.elements ?? []).map { $0["state"]?.string }
    }

    @Test func theReadmeNamesThePage() throws {
        #expect(
            try PageSession.text("README.md").contains("[from Stripe to Increase in ten commands](docs/switching.md)"))
    }

    @Test func everyCommandDoesWhatIsSaid() async throws {
        let page = "docs/switching.md"
        let session = try PageSession(of: page)
        // A step that is added, or has two blocks, is one that this test does not know.
        let steps = try PageSession.text(page).matches(of: /\n\*\*(\d+)\.\s/).map { String($0.output.1) }
        #expect(steps == (1...10).map { "\($0)" } && session.commands.count == 10)
        let outputs = try await SessionRun(session: session).results()
        let results = outputs.map(objects)
        #expect(results[0].first?["imported"]?.integer == 6 && results[0].first?["failed"]?.integer == 0)
        #expect(results[1].count == 6)
        #expect(results[1].allSatisfy { $0["serving"]?.string == "stripe_sandbox" })
        #expect(results[1].allSatisfy { states($0) == ["active", "standby"] })
        try expectAttempt(in: outputs[2], by: "stripe", with: "stripe_ephemeral_key")
        #expect(results[3].first?["code"]?.string == "migration_would_strand_cards")
        #expect(results[3].first?["status"]?.integer == 409)
        let losses = (results[3].first?["errors"]?.elements ?? []).map { $0["code"]?.string }
        #expect(losses == ["handoff_changed", "handoff_changed"])
        #expect(results[4].first?["status"]?.string == "open")
        #expect(results[4].first?["preflight"]?["cards"]?.integer == 6)
        #expect(results[4].first?["preflight"]?["without_standby_binding"]?.integer == 0)
        let migration = try #require(results[4].first?["id"]?.string)
        #expect(results[5].first?["id"]?.string == migration)
        #expect(results[5].first?["cohort"]?["percent"]?.integer == 50)
        let served = outputs[5].matches(of: /"id":"rocket_(\d)"\n"serving":"(\w+)"/)
        #expect(served.map { String($0.output.1) } == (1...6).map { "\($0)" }, "\(outputs[5])")
        for match in served {
            let isIn = CardRouting.isIn(
                basisPoints: 5000, migration: migration, cardholder: "rider_\(match.output.1)")
            #expect(match.output.2 == (isIn ? "increase_sandbox" : "stripe_sandbox"))
        }
        #expect(results[6].first?["cohort"]?["percent"]?.integer == 100)
        try expectAttempt(in: outputs[6], by: "increase", with: "google_pay_opaque_card")
        #expect(results[7].first?["status"]?.string == "rolled_back")
        try expectAttempt(in: outputs[7], by: "stripe", with: "stripe_ephemeral_key")
        #expect(results[8].first?["status"]?.string == "open" && results[8].first?["id"]?.string != migration)
        try expectAttempt(in: outputs[8], by: "increase", with: "google_pay_opaque_card")
        #expect(results[9].first?["status"]?.string == "completed")
        #expect(results[9].first?["settled_at"]?.isNull == false)
        #expect(states(results[9].last) == ["retired", "active"])
        #expect(results[9].last?["serving"]?.string == "increase_sandbox")
    }
}
