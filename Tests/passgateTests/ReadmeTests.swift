import Catalogue
import Foundation
import Gateway
import ProviderKit
import Provisioning
import Storage
import Testing

@testable import passgate

@Suite("What people read agrees with what runs")
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test func theTableOfProcessorsIsTheDescriptors() throws {
        let readme = try text("README.md")
        let columns: [(Wallet, WalletChannel)] = [
            (.applePay, .inApp), (.applePay, .web), (.googlePay, .inApp), (.googlePay, .web),
        ]
        for provider in ProviderCatalogue.all {
            let descriptor = provider.descriptor
            let cells = columns.map { wallet, channel in
                descriptor.support(for: wallet, on: channel).map { "`\($0.handoff.rawValue)`" } ?? "–"
            }
            let row = "| \(([descriptor.displayName] + cells).joined(separator: " | ")) |"
            #expect(readme.contains(row + "\n"), "the README lacks: \(row)")
        }
    }

    @Test func everyExitCodeIsInTheTable() throws {
        let readme = try text("README.md")
        for code in ExitCode.allCases { #expect(readme.contains("| \(code.rawValue) |"), "\(code)") }
    }

    @Test func everyCommandIsInTheList() throws {
        let readme = try text("README.md")
        for command in Command.all { #expect(readme.contains("\npassgate \(command.name)"), "\(command.name)") }
    }

    @Test func everyCommandTellsItsExitCodes() {
        for command in Command.all where command.name != "version" && command.name != "serve" {
            #expect(command.explanation.contains("Exit codes: 0") || command.name == "check", "\(command.name)")
        }
    }

    @Test func everyActionAndReasonOfTheButtonIsInItsTable() throws {
        let rows = try text("README.md").split(separator: "\n")
        for action in ButtonAction.allCases {
            #expect(rows.count { $0.hasPrefix("| `\(action.rawValue)` | ") } == 1, "\(action.rawValue)")
        }
        let cells = rows.filter { row in ButtonAction.allCases.contains { row.hasPrefix("| `\($0.rawValue)` | ") } }
            .flatMap { $0.split(separator: "|").last?.matches(of: /`(\w+)`/).map { String($0.1) } ?? [] }
        #expect(cells.sorted() == ButtonReason.allCases.map(\.rawValue).sorted())
    }

    @Test(arguments: ["docker/passgate.yaml", "examples/passgate.yaml"])
    func anExampleCanBeUsed(path: String) throws {
        let values = [
            "PASSGATE_ROOT_SECRET": String(repeating: "0f", count: 32), "INCREASE_API_KEY": "x",
            "INCREASE_WEBHOOK_SECRET": "y", "PASSGATE_API_KEY": Example.key,
        ]
        let folder = try Folder()
        try folder.write("secret", String(repeating: "0f", count: 32))
        let yaml = try text(path).replacing(/file:[^"]*root_secret/, with: "file:secret")
        let (configuration, problems) = Example.read(yaml, folder: folder.path, environment: values)
        #expect(configuration != nil)
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func theExampleOfEveryKeyShowsTheDefaults() throws {
        let values = [
            "PASSGATE_ROOT_SECRET": String(repeating: "0f", count: 32), "INCREASE_API_KEY": "x",
            "INCREASE_WEBHOOK_SECRET": "y", "PASSGATE_API_KEY": Example.key,
        ]
        let read = try #require(Example.read(try text("docker/passgate.yaml"), environment: values).configuration)
        #expect(read.limits == Configuration.Limits())
        #expect(read.retention == Retention())
        #expect(read.provisioningDeadline == .seconds(15))
        #expect(read.server.workers == nil)
        #expect(read.server.drainDelay == .zero)
    }
}
