import Assets
import Foundation
import Gateway
import ProviderKit
import Provisioning
import Testing

@testable import Facade

/// What the console's page is, and what it shows.
struct ConsolePageTests {
    private static let admin = "pgk_admin-in-rides-00000000000000000000"
    private static let host = [
        (name: "host", value: "localhost:8081"), (name: "origin", value: "http://localhost:8081"),
    ]

    private func reading(_ fixture: FacadeFixture) async throws -> [(name: String, value: String)] {
        let answer = await fixture.admin(
            "POST", "/console/api/session",
            headers: Self.host + [(name: "content-type", value: "application/json")],
            body: #"{"key":"\#(Self.admin)"}"#)
        let cookie = try #require(answer.header("Set-Cookie")?.split(separator: ";").first.map(String.init))
        return Self.host + [(name: "cookie", value: cookie)]
    }

    private func run(_ test: (FacadeFixture) async throws -> Void) async throws {
        try await FacadeFixture.run(
            keys: [FacadeFixture.key(Self.admin, named: "admin", programs: ["rides"])], test)
    }

    @Test(arguments: ConsoleFile.all.keys.sorted())
    func everyFileIsServedUnderAStrictPolicy(path: String) async throws {
        try await run { fixture in
            let answer = await fixture.admin("GET", path)
            let file = try #require(ConsoleFile.all[path])
            #expect(answer.status == 200 && answer.header("Content-Type") == file.type)
            #expect(answer.text == file.asset.text && !answer.text.isEmpty)
            let policy = try #require(answer.header("Content-Security-Policy"))
            for part in [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
                "form-action 'none'",
                "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
            ] {
                #expect(policy.contains(part))
            }
            #expect(!policy.contains("unsafe") && !policy.contains("*") && !policy.contains("http"))
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Referrer-Policy") == "no-referrer" && answer.header("X-Frame-Options") == "DENY")
            #expect(answer.header("Cache-Control") == "no-store" && answer.header("Set-Cookie") == nil)
            #expect(await fixture.admin("POST", path).status == 405)
        }
    }

    @Test func noFileMakesMarkupOfTextOrLoadsFromElsewhere() throws {
        for (path, file) in ConsoleFile.all {
            for word in [
                "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http://",
                "https://", "<style", " style=", "localStorage",
            ] {
                let text = file.asset.text.replacing("http://www.w3.org/2000/svg", with: "")
                #expect(!text.contains(word), "\(path) holds \(word)")
            }
        }
        let inline = try #require(ConsoleFile.all["/console"]).asset.text.split(separator: "\n")
        #expect(inline.filter { $0.contains("<script") }.allSatisfy { $0.contains("src=\"/console/") })
    }

    @Test func everyFileOfTheFolderIsServed() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Assets/Files/console")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let texts = ConsoleFile.all.values.map(\.asset.text)
        for name in names {
            #expect(texts.contains(try String(contentsOf: folder.appending(path: name), encoding: .utf8)), "\(name)")
        }
        #expect(names.count == Set(texts).count)
    }

    @Test func theOverviewAddsUpWhatHappened() async throws {
        try await run { fixture in
            let fields = try await reading(fixture)
            _ = await fixture.makeCard("c1")
            let body =
                #"{"wallet":"google_pay","google_pay":{"wallet_id":"canary-wallet","device_id":"canary-device"}}"#
            #expect(await fixture.send("POST", "/v1/cards/c1/provisionings", body: body).status == 201)
            fixture.provider.fail(with: ProvisioningError(.cardIneligible, outcome: .refused))
            #expect(await fixture.send("POST", "/v1/cards/c1/provisionings", body: body).status == 422)
            _ = await fixture.send("GET", "/v1/provisionings?status=refused")
            let answer = await fixture.admin("GET", "/console/api/overview?window=1h", headers: fields)
            #expect(answer.status == 200 && answer.json?["whole"]?.bool == true)
            let funnel = try #require(answer.json?["funnels"]?.elements?.first)
            #expect(funnel["connection"]?.string == "main" && funnel["wallet"]?.string == "google_pay")
            #expect(funnel["attempted"]?.integer == 2 && funnel["handed_off"]?.integer == 1)
            #expect(funnel["failed"]?.integer == 1 && funnel["active"]?.integer == 0)
            let failure = try #require(answer.json?["failures"]?.elements?.first)
            #expect(failure["code"]?.string == "card_ineligible" && failure["count"]?.integer == 1)
            #expect(failure["what_to_do"]?.string == ProblemCode.cardIneligible.whatToDo)
            #expect(!answer.text.contains("canary") && !answer.text.contains("opaque"))
            let bad = await fixture.admin("GET", "/console/api/overview?window=2h", headers: fields)
            #expect(bad.status == 400 && bad.pointers == ["/window"])
        }
    }

    @Test func connectionsOfTheProgramAreTold() async throws {
        try await run { fixture in
            let answer = await fixture.admin("GET", "/console/api/connections", headers: try await reading(fixture))
            let names = answer.json?["data"]?.elements?.compactMap { $0["name"]?.string }
            #expect(names == ["main", "sdk", "token"])
            let main = try #require(answer.json?["data"]?.elements?.first)
            #expect(main["health"]?.string == "unknown" && main["breaker_open"]?.bool == false)
            #expect(main["retry_budget"]?.integer == 10 && main["clock_skew_seconds"]?.isNull == true)
        }
    }

    @Test func whatHasNotChangedIsNotSentAgain() async throws {
        try await run { fixture in
            let fields = try await reading(fixture)
            let first = await fixture.admin("GET", "/console/api/provisionings", headers: fields)
            let tag = try #require(first.header("ETag"))
            let again = await fixture.admin(
                "GET", "/console/api/provisionings", headers: fields + [(name: "if-none-match", value: tag)])
            #expect(again.status == 304 && again.text.isEmpty)
            _ = await fixture.makeCard("c1")
            _ = await fixture.send(
                "POST", "/v1/cards/c1/provisionings",
                body: #"{"wallet":"google_pay","google_pay":{"wallet_id":"w","device_id":"d"}}"#)
            let changed = await fixture.admin(
                "GET", "/console/api/provisionings", headers: fields + [(name: "if-none-match", value: tag)])
            #expect(changed.status == 200 && changed.header("ETag") != tag)
        }
    }

    @Test(
        "P04: no answer of the console holds what was sent",
        arguments: ["/console", "/console/canaryvalue", "/console/api/session", "/console/api/canaryvalue"])
    func holdsNothingThatWasSent(path: String) async throws {
        try await run { fixture in
            let sent = ["accept", "authorization", "cookie", "origin", "host", "x-canary"].map {
                (name: $0, value: "canaryvalue")
            }
            for method in ["GET", "POST"] {
                let answer = await fixture.admin(method, path, headers: sent, body: #"{"key":"canaryvalue"}"#)
                #expect(!answer.text.isEmpty && !answer.text.contains("canaryvalue"), "\(method)")
            }
        }
    }
}
