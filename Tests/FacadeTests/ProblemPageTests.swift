import Crypto
import Gateway
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Testing

@testable import Facade

/// The pages that a problem's `type` leads to.
@Suite struct ProblemPageTests {
    @Test(arguments: ProblemCode.allCases)
    func everyCodeHasAPageForPeople(_ code: ProblemCode) throws {
        let page = Answer(ProblemPage.html(code))
        #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
        #expect(page.text.contains("<code>\(code.rawValue)</code>") && page.text.contains("HTTP \(code.entry.status)"))
        #expect(page.text.contains("<h1>\(HTMLText(code.entry.title))</h1>"))
        #expect(page.text.contains("\(HTMLText(code.entry.meaning))"))
        #expect(page.text.contains("\(HTMLText(code.whatToDo))"))
        for retry in code.entry.retry.values { #expect(page.text.contains("<code>\(retry.rawValue)</code>")) }
    }

    @Test(arguments: ProblemCode.allCases)
    func aPageLoadsAndRunsNothing(_ code: ProblemCode) throws {
        let page = Answer(ProblemPage.html(code))
        for mark in ["<script", "src=", "href=", "url(", "@import", "style=", "javascript:"] {
            #expect(!page.text.contains(mark), "\(mark)")
        }
        #expect(page.text.contains("width=device-width") && page.text.contains("prefers-color-scheme: dark"))
        let style = try #require(page.text.split(separator: "<style>").last?.split(separator: "</style>").first)
        let digest = Base64.encode(SHA256.digest(of: Array(style.utf8)))
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'") && policy.contains("style-src 'sha256-\(digest)'"))
        #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
        #expect(page.header("X-Content-Type-Options") == "nosniff" && page.header("Vary") == "Accept")
    }

    @Test(arguments: ProblemCode.allCases)
    func everyCodeHasAPageForPrograms(_ code: ProblemCode) {
        let answer = Answer(ProblemPage.json(code, publicURL: "https://passgate.example"))
        #expect(answer.header("Content-Type") == "application/json" && answer.header("Vary") == "Accept")
        #expect(answer.json?["type"]?.string == "https://passgate.example/errors/\(code.rawValue)")
        #expect(answer.json?["code"]?.string == code.rawValue && answer.json?["status"]?.integer == code.entry.status)
        #expect(answer.json?["meaning"]?.string == code.entry.meaning)
        #expect(answer.json?["what_to_do"]?.string == code.whatToDo)
        #expect(answer.json?["retry"]?.members?.count == RetrySituation.allCases.count)
    }

    @Test(arguments: ProblemCode.allCases)
    func aProblemsTypeLeadsToItsPage(_ code: ProblemCode) async throws {
        try await FacadeFixture.run { fixture in
            let problem = Answer(
                Rendering.problem(
                    Problem(code), publicURL: "https://passgate.example/", requestID: "r", isProvisioning: false))
            let type = try #require(problem.json?["type"]?.string)
            let path = type.replacing("https://passgate.example", with: "")
            let page = await fixture.send("GET", path, key: nil)
            #expect(page.status == 200 && page.json?["type"]?.string == type)
        }
    }

    @Test(arguments: [
        ("text/html", true), ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
        ("application/json", false), ("*/*", false), ("", false), ("application/json, text/html", false),
        ("text/html, application/json", true), ("text/html;q=0.5, application/json", false),
        ("application/json;q=0.5, TEXT/HTML;q=0.9", true), ("text/html;q=0", false),
        ("application/problem+json, text/html;q=0.9", false),
    ])
    func acceptDecides(_ accept: String, _ isPage: Bool) async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send(
                "GET", "/errors/internal_error", key: nil, headers: [(name: "accept", value: accept)])
            #expect((answer.header("Content-Type") == "text/html; charset=utf-8") == isPage)
        }
    }

    @Test(arguments: ["/errors/no_such_code", "/errors/Internal_Error", "/errors/internal_error/", "/errors/"])
    func anUnknownCodeIsNoRoute(_ path: String) async throws {
        try await FacadeFixture.run { fixture in
            for accept in ["text/html", "application/json"] {
                let answer = await fixture.send("GET", path, key: nil, headers: [(name: "accept", value: accept)])
                #expect(answer.status == 404 && answer.code == "route_not_found")
                #expect(answer.header("Content-Type") == "application/problem+json")
            }
        }
    }

    @Test(arguments: [
        ("a `b` c", "a <code>b</code> c"), ("<a & \"b\">", "&lt;a &amp; &quot;b&quot;&gt;"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ("one ` alone", "one ` alone"), ("", ""),
    ])
    func textIsMadeSafe(_ text: String, _ html: String) {
        #expect("\(HTMLText(text))" == html)
    }

    @Test(
        "P04: no page holds what was sent",
        arguments: ["/errors/handshake_invalid", "/errors/canaryvalue", "/console", "/canaryvalue"])
    func holdsNothingThatWasSent(_ path: String) async throws {
        try await FacadeFixture.run { fixture in
            let sent = ["accept", "authorization", "x-canary"].map { name in
                (name: name, value: name == "accept" ? "text/html" : "canaryvalue")
            }
            let answer = await fixture.send("GET", path, key: nil, headers: sent)
            #expect(!answer.text.isEmpty && !answer.text.contains("canaryvalue"))
        }
    }
}
