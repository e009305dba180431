import ProviderKit
import ProviderTesting
import SecretMemory
import Testing

struct ConnectionSettingsTests {
    @Test func readsEveryKindOfValue() {
        let test = TestSettings([
            ("api_key", "k"), ("mode", "bearer"), ("count", "7"), ("on", "true"), ("list", .list(["a", "b"])),
            ("d1", .mapping([("issuer_id", "i")])),
            ("keys", .list([.mapping([("file", "f")]), .mapping([("file", "g")])])),
        ])
        let settings = test.reader()
        #expect(settings.secret("api_key") == SecretText("k"))
        #expect(settings.text("api_key") == "k")
        #expect(settings.choice("mode", of: ["bearer", "basic"], default: "basic") == "bearer")
        #expect(settings.integer("count", in: 1...10, default: 3) == 7)
        #expect(settings.flag("on", default: false))
        #expect(settings.secrets("list") == [SecretText("a"), SecretText("b")])
        #expect(settings.entries("list").map(\.key) == ["list[0]", "list[1]"])
        #expect(settings.section("d1")?.text("issuer_id") == "i")
        #expect(settings.list("keys").map { $0.text("file") } == ["f", "g"])
        #expect(settings.has("list") && !settings.has("nothing"))
        settings.reportUnknownKeys()
        #expect(test.problems.isEmpty)
    }

    @Test func usesFallbacksForWhatIsLeftOut() {
        let test = TestSettings([("mode", .empty), ("count", .empty)])
        let settings = test.reader()
        #expect(settings.choice("mode", of: ["a", "b"], default: "b") == "b")
        #expect(settings.integer("count", in: 1...10, default: 3) == 3)
        #expect(settings.flag("on", default: true))
        #expect(settings.secrets("list").isEmpty)
        #expect(settings.section("d1") == nil)
        #expect(settings.list("keys").isEmpty)
        #expect(settings.secret("api_key", required: false) == nil)
        #expect(test.problems.isEmpty)
    }

    @Test func reportsEveryProblemByItsKeyPath() {
        let test = TestSettings([
            ("blank", " \n"), ("structured", .list([])), ("mode", "canary"), ("count", "11"), ("word", "seven"),
            ("on", "yes"), ("texts", .list(["", .list([]), .empty])), ("no_list", "canary"), ("no_mapping", "canary"),
            ("mixed", .list(["canary", .mapping([("file", .empty)])])),
        ])
        let settings = test.reader()
        _ = settings.secret("missing")
        _ = settings.secret("blank")
        _ = settings.secret("structured")
        _ = settings.choice("mode", of: ["bearer", "basic"], default: "bearer")
        _ = settings.integer("count", in: 1...10, default: 1)
        _ = settings.integer("word", in: 1...10, default: 1)
        _ = settings.flag("on", default: true)
        _ = settings.secrets("texts")
        _ = settings.secrets("no_list")
        _ = settings.section("no_mapping")
        for entry in settings.list("mixed") { _ = entry.file("file") }
        let path = "problem: connections.main"
        #expect(
            test.problems == [
                "\(path).missing: is missing", "\(path).blank: is empty", "\(path).structured: must be a text",
                "\(path).mode: must be one of bearer, basic", "\(path).count: must be a whole number from 1 to 10",
                "\(path).word: must be a whole number from 1 to 10", "\(path).on: must be one of true, false",
                "\(path).texts[0]: is empty", "\(path).texts[1]: must be a text", "\(path).texts[2]: is empty",
                "\(path).no_list: must be a list", "\(path).no_mapping: must be a mapping",
                "\(path).mixed[0]: must be a mapping", "\(path).mixed[1].file: is missing",
            ])
        #expect(!test.problems.joined().contains("canary"))
    }

    @Test func staysSilentWhereAReferenceFailed() {
        let test = TestSettings([
            ("key", .unresolved), ("list", .unresolved), ("items", .list([.unresolved])), ("section", .unresolved),
        ])
        let settings = test.reader()
        #expect(settings.secret("key") == nil)
        #expect(settings.integer("key", in: 0...1, default: 1) == 1)
        #expect(settings.secrets("list").isEmpty)
        #expect(settings.secrets("items").isEmpty)
        #expect(settings.list("items").isEmpty)
        #expect(settings.section("section") == nil)
        settings.reportUnknownKeys()
        #expect(test.problems.isEmpty)
    }

    @Test func reportsKeysThatNobodyReadsHereAndBelow() {
        let test = TestSettings(
            [("api_key", "k"), ("api_kye", "canary"), ("provider", "increase"), ("d1", .mapping([("isuer_id", "i")]))])
        let settings = test.reader()
        _ = settings.secret("api_key")
        _ = settings.section("d1")?.text("issuer_id", required: false)
        settings.reportUnknownKeys()
        let path = "problem: connections.main"
        #expect(
            test.problems == [
                "\(path).api_kye: is not a known key; did you mean api_key?",
                "\(path).d1.isuer_id: is not a known key; did you mean issuer_id?",
            ])
    }

    @Test func readsFilesAndSaysWhyNot() {
        let test = TestSettings([("ca", "ca.pem"), ("other", "gone.pem")], files: ["ca.pem": "PEM"])
        let settings = test.reader()
        #expect(settings.file("ca") == SecretText("PEM"))
        #expect(settings.file("other") == nil)
        #expect(test.problems == ["problem: connections.main.other: gone.pem does not exist"])
    }

    @Test func tellsWarningsFromProblems() {
        let test = TestSettings([])
        let settings = test.reader()
        settings.warning("webhook_secrets", "is missing, so every webhook is refused")
        #expect(
            test.problems == [
                "warning: connections.main.webhook_secrets: is missing, so every webhook is refused"
            ])
    }

    @Test func takesCredentialsThatAHeaderCanHold() {
        let test = TestSettings([
            ("good", "sk_live-!~"), ("space", "a b"), ("line", "a\nb"), ("accent", "é"), ("test", "sk_test_1"),
        ])
        let settings = test.reader()
        #expect(settings.credential("good", testPrefixes: ["sk_test_"]) == SecretText("sk_live-!~"))
        for key in ["space", "line", "accent"] { #expect(settings.credential(key) == nil) }
        #expect(settings.credential("test", testPrefixes: ["sk_test_"]) == nil)
        #expect(test.problems.count == 4)
        #expect(test.problems.last?.hasSuffix("belongs to a sandbox, but the environment is live") == true)
        let sandbox = TestSettings([("test", "sk_test_1")], environment: .test).reader()
        #expect(sandbox.credential("test", testPrefixes: ["sk_test_"]) == SecretText("sk_test_1"))
    }
}
