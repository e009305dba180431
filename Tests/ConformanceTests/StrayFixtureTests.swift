import Foundation
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@Suite("No error in a corpus of fixtures maps to nothing")
struct StrayFixtureTests {
    private static let request = """
        {"method":"GET","url":"https://acme.example/cards/acme_1",\
        "headers":{"authorization":"Bearer \(AcmeFixtures.apiKey)"}}
        """

    /// What is found in a corpus of one error.
    private func findings(_ name: String, _ status: Int, _ code: String, means: String? = nil) async throws -> [String]
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "passgate-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let success = #"{"object":"acme_card","status":"active"}"#
        for group in ["eligibility", "google_pay_in_app"] {
            try write(folder, "\(group)/card_exists", 200, success, request: true, means: nil)
        }
        try write(folder, "errors/\(name)", status, #"{"code":"\#(code)"}"#, request: false, means: means)
        let harness = ReplayHarness<WrongProvider>(
            fixtures: FixtureFolder(beside: folder.appending(path: "Tests/AcmeTests.swift").path),
            card: CardBinding(connection: "main", providerCardID: "acme_1", last4: "1288", network: .visa),
            settings: TestSettings([]), absent: [.notEnabled: "it has no word for it"], secrets: [])
        return try await harness.strayFixtures()
    }

    private func write(_ folder: URL, _ name: String, _ status: Int, _ body: String, request: Bool, means: String?)
        throws
    {
        let file = folder.appending(path: "Fixtures/\(name).json")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let text = """
            {"because":"an invented processor answers so", \(request ? "\"request\":\(Self.request)," : "")
             \(means.map { "\"means\":\"\($0)\"," } ?? "") "response":{"status":\(status),"headers":{},"body":\(body)}}
            """
        try Data(text.utf8).write(to: file)
    }

    @Test func aSituationIsTheSuitesBusiness() async throws {
        #expect(try await findings("card_missing", 404, "no_such_card") == [])
    }

    @Test func anotherErrorSaysWhatItMeans() async throws {
        #expect(try await findings("moved_away", 404, "no_such_card", means: "provider_card_not_found") == [])
        let silent = try await findings("moved_away", 404, "no_such_card")
        #expect(silent == ["errors/moved_away.json is no situation, and does not say what it means"])
    }

    @Test func theAdapterAgreesWithWhatItMeans() async throws {
        let other = try await findings("moved_away", 404, "no_such_card", means: "card_ineligible")
        #expect(other == ["errors/moved_away.json means card_ineligible, and became provider_card_not_found"])
        let unknown = try await findings("moved_away", 404, "no_such_card", means: "card_moved")
        #expect(unknown == ["errors/moved_away.json means card_moved, which is none of our codes"])
    }

    @Test func aSuccessIsNoError() async throws {
        let success = try await findings("all_well", 200, "fine", means: "provider_rejected")
        #expect(success == ["errors/all_well.json means provider_rejected, and became provider_contract_violation"])
    }

    @Test(arguments: ["html_bad_gateway", "not_enabled"])
    func aFileThatNobodyPlaysIsFound(_ situation: String) async throws {
        #expect(try await findings(situation, 403, "no_wallets") == ["errors/\(situation).json is played by nobody"])
    }
}

extension WrongProvider: ConfigurableProvider {
    init?(settings: ConnectionSettings, kit: AdapterKit) {
        self.init(.none, apiKey: AcmeFixtures.apiKey, kit: kit)
    }
}
