import Crypto
import ProviderKit
import Provisioning
import SecretMemory
import Testing

@testable import Facade

/// The reference is one page, made of the description.
@Suite struct ReferencePageTests {
    private let page = ReferencePage.shared.html

    @Test func showsEveryOperationUnderItsAnchor() throws {
        for operation in try Description().operations {
            let id = try #require(operation.value["operationId"]?.string)
            #expect(page.contains("<article id=\"\(id)\"") && page.contains("<a href=\"#\(id)\">"))
            #expect(page.contains("<b>\(operation.method)</b> <code>\(operation.path)</code>"))
        }
        #expect(page.contains("<article id=\"takeEvent\""))
    }

    @Test func showsEverySchemaAndEveryCode() throws {
        for (name, _) in try #require(Description().value("components/schemas")?.members) {
            #expect(page.contains("<article id=\"schema-\(name)\""))
        }
        for code in ProblemCode.allCases { #expect(page.contains("<tr id=\"code-\(code.rawValue)\"")) }
    }

    @Test func everyLinkWithinThePageLeadsSomewhere() {
        let ids = Set(page.matches(of: #/ id="([^"]+)"/#).map { String($0.output.1) })
        let links = page.matches(of: #/href="\#([^"]+)"/#).map { String($0.output.1) }
        #expect(links.count > 100)
        for link in links { #expect(ids.contains(link), "\(link)") }
    }

    @Test func loadsNothingAndRunsItsOwnScriptAlone() async throws {
        for mark in ["src=", "url(", "@import", "style=", "javascript:", "<iframe", "<link"] {
            #expect(!page.contains(mark), "\(mark)")
        }
        #expect(!page.contains(#/ on[a-z]+=/#) && !page.contains(#/href="[a-z]+:/#))
        #expect(page.contains("width=device-width") && page.contains("prefers-color-scheme: dark"))
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send("GET", "/docs", key: nil)
            #expect(answer.status == 200 && answer.text == page)
            #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
            let policy = try #require(answer.header("Content-Security-Policy"))
            for (tag, rule) in [("style", "style-src"), ("script", "script-src")] {
                let text = try #require(page.split(separator: "<\(tag)>").last?.split(separator: "</\(tag)>").first)
                let digest = Base64.encode(SHA256.digest(of: Array(text.utf8)))
                #expect(policy.contains("\(rule) 'sha256-\(digest)'"))
            }
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            let tag = try #require(answer.header("ETag"))
            let same = await fixture.send("GET", "/docs", key: nil, headers: [(name: "if-none-match", value: tag)])
            #expect(same.status == 304 && same.text.isEmpty && same.header("Content-Security-Policy") == policy)
        }
    }

    @Test func whatItSaysIsText() {
        let page = ReferencePage(
            #"{"info":{"summary":"<b>&\"x\""},"tags":[{"name":"<i>","description":"`<u>`"}],"paths":{}}"#)
        #expect(!page.html.contains("<b>&\"") && page.html.contains("&lt;b&gt;&amp;&quot;x&quot;"))
        #expect(page.html.contains("<h2>&lt;i&gt;</h2>") && page.html.contains("<code>&lt;u&gt;</code>"))
    }
}
