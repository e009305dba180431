import Foundation
import ProviderKit
import Sandbox
import Testing

/// Every call of every processor meets every fault, on a fresh and on a kept connection. `make fault-matrix` prints it.
@Suite(.serialized)
struct FaultMatrixTests {
    /// How many faults are tried at once: each with a gateway of its own, and all its cells together.
    private static let width = 3

    /// A cell, what it showed and what it must show.
    private struct Finding: Sendable {
        let place: [String]
        let shown: MatrixRow
        let ruled: MatrixRow
    }

    @Test func everyCellShowsWhatTheRuleSays() async throws {
        let findings = try await run(MatrixFault.allCases)
        for finding in findings {
            #expect(finding.shown == finding.ruled, "\(finding.place.joined(separator: ", "))")
        }
        // Every call meets every fault of the way and of the answer; the words of their own, only some processors have.
        let common = MatrixFault.allCases.count { $0.situation == nil }
        let counts = Dictionary(grouping: findings) { $0.place.prefix(2).joined(separator: " ") }.mapValues(\.count)
        #expect(counts.count == MatrixCall.all.count && counts.values.allSatisfy { $0 >= 2 * common })
        try write(findings)
    }

    private func run(_ faults: [MatrixFault]) async throws -> [Finding] {
        try await withThrowingTaskGroup(of: (Int, [Finding]).self) { group in
            var found: [(Int, [Finding])] = []
            for (index, fault) in faults.enumerated() {
                if index >= Self.width, let one = try await group.next() { found.append(one) }
                group.addTask { (index, try await findings(of: fault)) }
            }
            for try await one in group { found.append(one) }
            return found.sorted { $0.0 < $1.0 }.flatMap(\.1)
        }
    }

    private func findings(of fault: MatrixFault) async throws -> [Finding] {
        let network = SimulatedNetwork()
        let places = MatrixCall.all.flatMap { call in [false, true].map { (call, $0) } }
        let cells = try places.enumerated().compactMap { number, place in
            try MatrixCell(place.0, meeting: fault, isWarm: place.1, number: number, network: network)
        }
        defer { for cell in cells { cell.stop() } }
        if cells.isEmpty { return [] }
        return try await InProcessGateway.with(cells.map(\.connection)) { house in
            try await withThrowingTaskGroup(of: (Int, Finding).self) { group in
                for (index, cell) in cells.enumerated() {
                    group.addTask {
                        let shown = try await cell.run(through: house.client)
                        return (
                            index,
                            Finding(
                                place: cell.place, shown: shown, ruled: MatrixRule.row(of: cell.call, meeting: fault))
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
            }
        }
    }

    /// Writes the table to the file that `make fault-matrix` prints.
    private func write(_ findings: [Finding]) throws {
        guard let path = ProcessInfo.processInfo.environment["FAULT_MATRIX"] else { return }
        let titles = [
            "provider", "call", "fault", "connection", "status", "code", "retry", "outcome", "calls", "tries", "record",
            "handshake", "",
        ]
        var table = TextTable(titles.map { ($0, ["status", "calls", "tries"].contains($0) ? .right : .left) })
        let sorted = findings.enumerated().sorted { one, other in
            let places = (one.element.place.prefix(2).joined(), other.element.place.prefix(2).joined())
            return places.0 == places.1 ? one.offset < other.offset : places.0 < places.1
        }.map(\.element)
        for finding in sorted {
            let verdict = finding.shown == finding.ruled ? "" : "≠ \(finding.ruled.cells.joined(separator: " "))"
            table.add(finding.place + finding.shown.cells + [verdict])
        }
        let wrong = findings.count { $0.shown != $0.ruled }
        let summary = "\(findings.count) cells, \(wrong) of them not as the rule says"
        try Data((table.lines + ["", summary, ""]).joined(separator: "\n").utf8).write(to: URL(filePath: path))
    }
}
