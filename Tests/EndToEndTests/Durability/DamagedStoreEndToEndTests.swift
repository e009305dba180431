import Foundation
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// What becomes of a store whose files were cut or altered while no gateway ran, as after a power cut or a bad disk.
@Suite(.serialized)
struct DamagedStoreEndToEndTests {
    private static let cards = ["card_1", "card_2", "card_3"]

    /// Registers three cards, kills the gateway, alters a file of its store, and runs the test with another gateway.
    private func after(
        _ damage: (FileHandle) throws -> Void, to name: String, _ body: (House, Set<String>) async throws -> Void
    ) async throws {
        try await House.with { house in
            for (index, card) in Self.cards.enumerated() {
                try await house.register(card, as: "sandbox_card_\(["one", "two", "three"][index])")
            }
            await house.kill()
            let file = try FileHandle(forUpdating: house.gateway.folder.appending(path: name))
            try damage(file)
            try file.close()
            try await house.restarted { _ in
                var found: Set<String> = []
                for card in Self.cards {
                    let answer = try await house.gateway.client.send(.get, "/v1/cards/\(card)")
                    if answer.status == 200 { found.insert(card) }
                }
                try await body(house, found)
            }
        }
    }

    @Test func whatFollowsTheLastWholeFrameOfTheLogIsLeftOut() async throws {
        let tails: [(Data) -> Data] = [
            { _ in Data(repeating: 0, count: 8192) },
            { _ in Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 * 31) }) },
            // A frame of before, cut in the middle, and one that is whole and stands at another place.
            { log in log.subdata(in: 32..<(32 + 2000)) },
            { log in log.subdata(in: 32..<(32 + 24 + 4096)) },
        ]
        for tail in tails {
            try await after(
                { file in
                    let log = try file.readToEnd() ?? Data()
                    #expect(log.count > 32 + 24 + 4096, "the log holds what was acknowledged")
                    try file.seekToEnd()
                    try file.write(contentsOf: tail(log))
                }, to: "passgate.db-wal"
            ) { house, found in
                #expect(found == Set(Self.cards))
                try await house.register("card_4", as: "sandbox_card_four")
            }
        }
    }

    @Test func aDamagedEndOfTheLogCostsNothingBeforeIt() async throws {
        try await after(
            { file in
                let end = try file.seekToEnd()
                try file.seek(toOffset: end - 100)
                try file.write(contentsOf: Data(repeating: 0xa5, count: 60))
            }, to: "passgate.db-wal"
        ) { house, found in
            #expect(found.isSuperset(of: ["card_1", "card_2"]))
            try await house.register("card_4", as: "sandbox_card_four")
        }
    }

    @Test func aFileThatIsNoDatabaseStopsTheStartAndIsLeftAsItIs() async throws {
        try await House.with { house in
            try await house.register("card_1")
            #expect(await house.gateway.stop() == 0)
            let file = house.gateway.folder.appending(path: "passgate.db")
            var contents = try Data(contentsOf: file)
            contents.replaceSubrange(0..<100, with: Data(repeating: 0x5a, count: 100))
            try contents.write(to: file)
            let process = try ChildProcess(
                command: House.command("passgate"),
                arguments: ["serve", "--config", house.gateway.folder.appending(path: "passgate.yaml").path],
                in: house.gateway.folder)
            #expect(await process.exit(within: .seconds(20)) == 69)
            #expect(String(decoding: process.written, as: UTF8.self).contains("damaged or no database"))
            #expect(try Data(contentsOf: file) == contents)
            await process.stop()
        }
    }
}
