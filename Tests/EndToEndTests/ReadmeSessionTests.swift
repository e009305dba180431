import JSON
import ProviderKit
import SecretMemory
import Testing

/// The README's session works as it is printed, against what `make serve` runs.
@Suite(.serialized)
struct ReadmeSessionTests {
    @Test func everyCommandDoesWhatIsSaid() async throws {
        let session = try PageSession(of: "README.md", section: "A session with curl")
        let results = try await SessionRun(session: session).results()
        // What each command of the README shows. One more there is one more here.
        try #require(results.count == 11)
        let answers = results.map { try? JSONParser().parse(SecretBytes(utf8: $0)).root }
        #expect(answers[0]?["object"]?.string == "card" && answers[0]?["id"]?.string == "card_1")
        #expect(answers[1]?["data"]?.elements?.map { $0["wallet"]?.string } == ["apple_pay", "google_pay"])
        #expect(answers[1]?["data"]?.elements?.allSatisfy { $0["eligible"]?.bool == true } == true)
        #expect(answers[2]?["action"]?.string == "add_to_watch" && answers[2]?["target"]?.string == "watch")
        #expect(answers[3]?["status"]?.string == "handed_off")
        #expect(answers[3]?["handoff"]?["type"]?.string == "google_pay_opaque_card")
        let record = try #require(answers[4]?["data"]?.elements?.first)
        #expect(record["id"]?.string == answers[3]?["id"]?.string && record["handoff"]?.isNull == true)
        // Two answers in a row: the record as the device left it, and its timeline.
        #expect(results[5].contains(#""status":"added""#), "\(results[5])")
        #expect(results[5].contains(#""step":"added","source":"device""#), "\(results[5])")
        #expect(results[6].contains("decrypted the pass"), "\(results[6])")
        #expect(answers[7]?["data"]?.elements?.map { $0["status"]?.string } == ["active", "active"])
        #expect(answers[8]?["data"]?.elements?.last?["type"]?.string?.hasPrefix("provisioning.") == true)
        #expect(answers[9]?["code"]?.string == "card_not_found" && answers[9]?["retry"]?.string == "never")
        #expect(answers[10]?["object"]?.string == "problem_type" && answers[10]?["code"]?.string == "card_not_found")
    }
}
