import ConfigurationFile
import Foundation
import SecretMemory
import Testing

@testable import passgate

@Suite("doctor looks at what this machine gives, and at the forms of secrets")
struct DoctorTests {
    private func forms(_ secrets: String, spare: String = "\"another-secret-of-its-own\"") -> [String] {
        let yaml = """
            connections:
              main: { webhook_secrets: [\(secrets)] }
              spare: { webhook_secrets: [\(spare)] }
            """
        let source = ConfigurationSource(text: yaml, folder: "") { _ in nil }
        return WebhookSecretForms(source: source).findings().filter { $0.subject == "connections.main" }
            .map { "\($0.verdict.rawValue) \($0.words)" }
    }

    @Test(arguments: [
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "ok secret 1: whsec_ and base64, 38 characters"),
        ("000102030405060708090a0b0c0d0e0f", "ok secret 1: hex, 32 characters"),
        ("some secret of words", "warning secret 1 has a space"), ("whsec_1", "warning secret 1 is shorter"),
        ("sk_live_invented_for_this_test", "warning secret 1 looks like an API key"),
        ("whsec_not$base64$at$all$", "warning secret 1 begins with whsec_ and is no base64"),
        ("another-secret-of-its-own", "warning secret 1 is that of connections.spare"),
    ])
    func aSecretsFormIsTold(_ secret: String, _ words: String) {
        let found = forms("\"\(secret)\"")
        #expect(found.count == 1 && found[0].hasPrefix(words), "\(found)")
        #expect(!found[0].contains(secret))
    }

    private func configuration(_ yaml: String) throws -> Configuration {
        try #require(Example.read(yaml).configuration)
    }

    @Test func aPortIsFreeOrTakenByAGatewayOrByAnother() async throws {
        let free = PlaceExamination(configuration: try configuration(Example.yaml))
        #expect(await free.ports().map(\.verdict) == [.fine, .fine])
        let gate = try Gate(["serve"], configuration: Example.yaml)
        let line = try #require(await gate.line(with: "\"event\":\"listening\""), "\(gate.output)")
        let urls = line.matches(of: /127.0.0.1:(\d+)/).map { String($0.1) }
        try #require(urls.count == 2)
        func yaml(_ listen: String, _ admin: String) -> String {
            Example.yaml("server: { listen: \"127.0.0.1:0\"", "server: { listen: \"127.0.0.1:\(listen)\"")
                .replacing("admin: { listen: \"127.0.0.1:0\"", with: "admin: { listen: \"127.0.0.1:\(admin)\"")
        }
        let ours = await PlaceExamination(configuration: try configuration(yaml(urls[0], urls[1]))).ports()
        #expect(ours.map(\.verdict) == [.fine, .fine] && ours.allSatisfy { $0.words.hasPrefix("a gateway listens") })
        // The facade has no /metrics: at its port the admin listener finds another program.
        let other = await PlaceExamination(configuration: try configuration(yaml("0", urls[0]))).ports()
        #expect(other[1].verdict == .unavailable && other[1].words.hasPrefix("another program listens on"))
        let elsewhere = Example.yaml("server: { listen: \"127.0.0.1:0\"", "server: { listen: \"192.0.2.1:8080\"")
        let absent = await PlaceExamination(configuration: try configuration(elsewhere)).ports()
        #expect(absent[0].verdict == .configuration)
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)
    }

    @Test func theStoreIsLookedAtAndLeftAsItIs() async throws {
        let folder = try Folder()
        let yaml = Example.yaml("sqlite:passgate.db", "sqlite:\(folder.path)/store.db")
        let place = PlaceExamination(configuration: try configuration(yaml))
        #expect(await place.store().map(\.verdict).first == .note)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try folder.write("store.db", String(repeating: "no database ", count: 1000))
        #expect(await place.store().first?.verdict == .unavailable)
        let nowhere = Example.yaml("sqlite:passgate.db", "sqlite:\(folder.path)/none/store.db")
        let found = await PlaceExamination(configuration: try configuration(nowhere)).store()
        #expect(found.last?.verdict == .unavailable && found.last?.words.hasPrefix("there is no folder") == true)
    }

    @Test func warningsAloneAreNoProblem() {
        var report = DoctorReport(path: "passgate.yaml")
        report.addSoundConfiguration()
        report.findings.append(Finding("store", "disk", .warning, "900 MiB are free"))
        #expect(report.exitCode == .success && report.summary == "0 problems, 1 warning")
        report.findings.append(Finding("connections.a", "credentials", .unavailable, "refused"))
        #expect(report.exitCode == .unavailable)
        report.findings.append(Finding("server.listen", "port", .configuration, "no address"))
        #expect(report.exitCode == .configuration && report.summary == "2 problems, 1 warning")
        #expect(report.lines.last == "PROBLEM  server.listen  port: no address")
    }
}
