import ProviderKit
import ProviderTesting
import SecretMemory
import Testing

struct URLSettingTests {
    private func read(
        _ url: SettingValue, _ environment: ConnectionSettings.Environment = .live, allowed: Set<String> = []
    ) -> (url: String?, problems: [String]) {
        let test = TestSettings([("base_url", url)], environment: environment, allowedHTTPHosts: allowed)
        let url = test.reader().url("base_url", sandboxHosts: ["sandbox.example"], liveHosts: ["api.example"])
        return (url?.description, test.problems)
    }

    @Test func takesSecureAndLoopbackURLs() {
        let taken = [
            read("https://api.example/"), read("http://127.0.0.1:8080"), read("http://localhost/path"),
            read("http://mock:80", .test, allowed: ["mock"]), read("http://mock:80", .test, allowed: ["mock:80"]),
        ]
        #expect(
            taken.map(\.url) == [
                "https://api.example", "http://127.0.0.1:8080", "http://localhost/path", "http://mock:80",
                "http://mock:80",
            ])
        #expect(taken.flatMap(\.problems).isEmpty)
    }

    @Test func refusesEverythingElse() {
        for (url, problems) in [
            read("http://api.example"), read("http://mock:80", .live, allowed: ["mock"]),
            read("http://mock:81", .test, allowed: ["mock:80"]), read("ftp://api.example"),
            read("https://user:canary@api.example"), read(.empty), read("https://sandbox.example"),
        ] {
            #expect(url == nil)
            #expect(problems.count == 1)
            #expect(!problems.joined().contains("canary"))
        }
    }

    @Test func warnsOfRealCardsUnderTest() {
        #expect(read("https://sandbox.example", .test).problems.isEmpty)
        let real = read("https://api.example", .test)
        #expect(real.url == "https://api.example")
        #expect(
            real.problems == ["warning: connections.main.base_url: serves real cards, but the environment is test"])
    }

    @Test func readsTemplatesWithOnePlace() throws {
        let test = TestSettings([
            ("good", "https://vault.example/cards/{id}/pan"), ("none", "https://vault.example"),
            ("two", "https://vault.example/{id}/{id}"), ("plain", "http://vault.example/{id}"),
            ("host", "https://{id}.vault.example/"), ("name", "https://vault{id}/cards"),
            ("port", "https://vault.example:{id}/"),
        ])
        let settings = test.reader()
        let template = try #require(settings.urlTemplate("good", placeholder: "id"))
        #expect(template.before == "https://vault.example/cards/")
        #expect(template.after == "/pan")
        for key in ["none", "two", "plain", "missing", "host", "name", "port"] {
            #expect(settings.urlTemplate(key, placeholder: "id") == nil)
        }
        #expect(test.problems.count == 7)
    }

    @Test func tellsTheKeysOfAnEnvironmentByTheirBeginning() {
        func problems(_ key: SettingValue, _ environment: ConnectionSettings.Environment) -> [String] {
            let test = TestSettings([("key", key)], environment: environment)
            let secret = test.reader().credential("key", testPrefixes: ["t_"], livePrefixes: ["l_"])
            #expect((secret == nil) == !test.problems.isEmpty)
            return test.problems
        }
        #expect(problems("t_1", .test) == [] && problems("l_1", .live) == [])
        #expect(problems("1", .test) == [] && problems("1", .live) == [])
        #expect(
            problems("t_1", .live) == [
                "problem: connections.main.key: belongs to a sandbox, but the environment is live"
            ])
        #expect(
            problems("l_1", .test) == [
                "problem: connections.main.key: is for real cards, but the environment is test"
            ])
    }
}
