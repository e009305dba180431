import PostgreSQLServer
import SecretMemory
import Testing

@testable import passgate

@Suite("The commands on a store in PostgreSQL")
struct PostgreSQLCommandTests {
    private func yaml(_ url: SecretText) -> String {
        Example.yaml("sqlite:passgate.db", url.reveal())
    }

    @Test func everyCommandWorksOnTheDatabaseOrSaysWhatDoes() async throws {
        let yaml = yaml(try await PostgreSQLServer.shared.makeSchema())
        func run(_ words: String...) async throws -> (code: Int32, output: String) {
            try await Gate.run(words, configuration: yaml)
        }
        let plan = try await run("store", "migrate", "--plan")
        #expect(plan.code == 1 && plan.output.hasPrefix("would run step 1: cards"), "\(plan.output)")
        let done = try await run("store", "migrate")
        #expect(done.code == 0 && done.output.contains("ran step 8"), "\(done.output)")
        #expect(try await run("store", "migrate", "--plan").output.hasSuffix("nothing to do"))

        let made = try await run("keys", "create", "--name", "app", "--scopes", "cards:read")
        #expect(made.code == 0, "\(made.output)")
        #expect(try await run("keys", "create", "--name", "app", "--scopes", "admin").code == 1)
        let list = try await run("keys", "list")
        #expect(list.code == 0 && list.output.contains("app"))
        let check = try await run("check")
        #expect(check.code == 0 && check.output == "passgate.yaml can be used", "\(check.output)")
        #expect(try await run("keys", "revoke", "app").code == 0)
        let trail = try await run("audit", "verify")
        #expect(trail.code == 0 && trail.output.contains("*: 2 entries, whole"), "\(trail.output)")

        let folder = try Folder()
        let card = """
            {"id":"card_1","binding":{"connection":"main","provider_card_id":"card_a","last4":"4242","network":"visa"},\
            "cardholder":{"id":"u","name":"Zoë"}}
            """
        try folder.write("cards.ndjson", card)
        let imported = try await run("cards", "import", "\(folder.path)/cards.ndjson", "--program", "rides", "--json")
        #expect(imported.code == 0 && imported.output.contains(#""imported":1"#), "\(imported.output)")

        let verify = try await run("store", "verify")
        #expect(verify.code == 69 && verify.output.contains("pg_amcheck"), "\(verify.output)")
        let backup = try await run("store", "backup", "copy.db")
        #expect(backup.code == 69 && backup.output.contains("pg_dump"), "\(backup.output)")
    }

    @Test func theDoctorSaysWhetherItIsReachedAndWhatItsClockSays() async throws {
        let url = try await PostgreSQLServer.shared.makeSchema()
        let place = PlaceExamination(configuration: try #require(Example.read(yaml(url)).configuration))
        let empty = await place.store()
        #expect(empty.map(\.check) == ["reach", "schema", "clock"], "\(empty)")
        #expect(empty.map(\.verdict) == [.fine, .note, .fine])
        #expect(try await Gate.run(["store", "migrate"], configuration: yaml(url)).code == 0)
        #expect(await place.store().map(\.verdict) == [.fine, .fine, .fine])
        let away = yaml(SecretText("postgres://a:canary@127.0.0.1:9/b"))
        let found = await PlaceExamination(configuration: try #require(Example.read(away).configuration)).store()
        #expect(found.map(\.verdict) == [.unavailable] && !found[0].words.contains("canary"))
        // Nobody knows whether it has keys: nothing is said of them.
        let withoutKeys = away.split(separator: "\n").filter { !$0.contains("backend") && !$0.contains("api_keys") }
            .joined(separator: "\n")
        let check = try await Gate.run(["check"], configuration: withoutKeys)
        #expect(check.code == 0 && check.output == "passgate.yaml can be used", "\(check.output)")
        let serve = try await Gate.run(["serve"], configuration: withoutKeys)
        #expect(serve.code == 69 && !serve.output.contains("canary"), "\(serve.output)")
    }
}
