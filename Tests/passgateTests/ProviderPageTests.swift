import Catalogue
import ConfigurationFile
import Foundation
import Gateway
import ProviderKit
import ProviderTesting
import Provisioning
import Testing

@testable import passgate

/// The pages in docs/providers: their configurations can be used as they stand, and explain every key that is read.
struct ProviderPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func page(of id: String) throws -> String { try text("docs/providers/\(id).md") }

    /// The folder of a provider's adapter.
    private func folder(of id: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Providers").path)
        return try #require(names.first { $0.lowercased() == id })
    }

    /// A folder with the keys and certificates that the pages name.
    private func keys() throws -> Folder {
        let folder = try Folder()
        let name = ["-subj", "/CN=TSH Issuer Gateway", "-days", "30"]
        try folder.write("d1.pem", OpenSSLCommand.text(["ecparam", "-name", "prime256v1", "-genkey", "-noout"]))
        try folder.write("thales-issuer.pem", OpenSSLCommand.text(["genrsa", "2048"]))
        try folder.write(
            "thales.pem",
            OpenSSLCommand.text(
                ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "unused.pem", "-batch"] + name))
        return folder
    }

    /// The page's connections, with what a configuration needs besides.
    private func configuration(_ page: String) throws -> (yaml: String, variables: [String: String]) {
        let blocks = page.matches(of: /\n```yaml\n((?s).*?)\n```/).map { String($0.output.1) }
        try #require(blocks.count == 1)
        let yaml = blocks[0]
        let connection = try #require(yaml.firstMatch(of: /\n  (\w+):\n/)).output.1
        let names = Set(yaml.matches(of: /\$\{(\w+)\}/).map { String($0.output.1) })
        let rest = """

            root_secrets: ["\(String(repeating: "0f", count: 32))"]
            programs: { rides: { connection: \(connection) } }
            api_keys: [{ name: backend, key: "\(Example.key)", scopes: ["cards:read"] }]
            """
        return (yaml + rest, Dictionary(uniqueKeysWithValues: names.map { ($0, "value_of_\($0)") }))
    }

    @Test func everyProcessorHasAPage() throws {
        let index = try text("docs/providers/README.md")
        for provider in ProviderCatalogue.all {
            let id = provider.descriptor.id
            #expect(index.contains("](\(id).md)"))
            #expect(try page(of: id).hasPrefix("# "))
        }
    }

    @Test(arguments: ProviderCatalogue.all.map { $0.descriptor.id })
    func aPagesConfigurationCanBeUsed(id: String) throws {
        let folder = try keys()
        let (yaml, variables) = try configuration(page(of: id))
        let (read, problems) = Example.read(yaml, folder: folder.path, environment: variables)
        #expect(read?.connections.values.map { $0.descriptor.id } == [id])
        // The vault is the one thing that a page shows and `check` warns of.
        let expected = id == "thales" ? ["connections.thales_eu.card_source"] : []
        #expect(problems.map(\.problem.keyPath) == expected, "\(problems)")
    }

    @Test(arguments: ProviderCatalogue.all.map { $0.descriptor.id })
    func aPageExplainsEveryKeyThatItsAdapterReads(id: String) throws {
        let sources = Self.root.appending(path: "Providers/\(try folder(of: id))")
        let files = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { $0.hasSuffix("Configuration.swift") }
        let code = try files.map { try String(contentsOf: sources.appending(path: $0), encoding: .utf8) }.joined()
        let reads =
            /(?:credential|secret|text|choice|integer|flag|url|urlTemplate|section|secrets|entries|has)\(\s*"(\w+)"/
        var keys = Set(code.matches(of: reads).map { String($0.output.1) })
        if code.contains("signingKey(") { keys.insert("keys") }
        #expect(keys.contains("webhook_secrets") || id == "thales")
        #expect(keys.count > 2)
        let page = try page(of: id)
        let yaml = try configuration(page).yaml
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined(separator: "\n")
        for key in keys {
            #expect(yaml.contains("\(key):"), "\(id).md shows no \(key)")
            #expect(rows.contains("`\(key)`") || rows.contains(".\(key)`"), "\(id).md does not explain \(key)")
        }
    }

    /// A page names a few of an emulator's cards; the adapter's own page has them all.
    @Test(arguments: ProviderCatalogue.all.map { $0.descriptor.id })
    func aPagesCardsAreTheEmulators(id: String) throws {
        let page = try page(of: id)
        let section = try #require(page.components(separatedBy: "\n## Try it\n").last)
        let cards = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.output.1) }
        }
        #expect(cards.count >= 6)
        let all = try text("Providers/\(folder(of: id))/README.md").split(separator: "\n").compactMap { row in
            row.firstMatch(of: /^\| `([^`]+)` \|/).map { String($0.output.1) }
        }
        for card in cards {
            let isThere = all.contains { known in
                known == card || (known.hasSuffix("…") && card.hasPrefix(known.dropLast()))
            }
            #expect(isThere, "\(id).md names the card \(card)")
        }
    }

    @Test(arguments: ProviderCatalogue.all.map { $0.descriptor.id })
    func aPageTellsTheHandoffsAndTheWebhooksURL(id: String) throws {
        let page = try page(of: id)
        let provider = try #require(ProviderCatalogue.all.first { $0.descriptor.id == id })
        for row in provider.descriptor.wallets { #expect(page.contains("`\(row.handoff.rawValue)`")) }
        #expect(page.contains("GET /v1/cardholders/{id}/wallets") && page.contains("wallet_extension"))
        let hasWebhooks = provider.self is any WebhookSource.Type
        #expect(page.contains("https://YOUR-GATEWAY/v1/inbound/") == hasWebhooks)
    }
}
