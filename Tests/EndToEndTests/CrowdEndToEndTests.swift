import Foundation
import ProviderKit
import RawSockets
import Sandbox
import Testing

/// The real command before more connections than anybody needs.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct CrowdEndToEndTests {
    /// As many as one instance takes: more are closed at once.
    private static let limit = 10_000

    @Test(
        .enabled(if: IdleCrowd.hasRoom(for: limit + 300), "the hard limit of open files (ulimit -Hn) is below 10,800"))
    func tenThousandIdleConnectionsKeepNobodyOut() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let port = house.gateway.configuration.port
            let before = try memory(of: house.gateway.process.id)
            // A third is silent, a third has been answered once, a third has begun a head.
            let crowd = try IdleCrowd(Self.limit - 100, to: port) { number in
                ["", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "GET /v1/cards HTTP/1.1\r\nHost: a\r\nX-Part: "][
                    number % 3]
            }
            let began = ContinuousClock.now
            let phone = try SimulatedPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone)
            #expect(answer.status == 201, "\(answer.problemLine)")
            #expect(ContinuousClock.now - began < .seconds(5), "waiting as long as a device would not")
            #expect(crowd.openCount == Self.limit - 100)
            let each = (try memory(of: house.gateway.process.id) - before) / (Self.limit - 100)
            if !isSanitized { #expect(each < 32_768, "\(each) bytes for each idle connection") }

            // Beyond the limit a connection is closed at once, and whoever is connected does not feel it.
            let late = try IdleCrowd(200, to: port)
            try await house.wait { crowd.openCount + late.openCount <= Self.limit }
            #expect(crowd.openCount == Self.limit - 100 && late.openCount > 0)
            #expect(try await house.gateway.client.send(.get, "/v1/cards/card_1").status == 200)
            #expect(try await RawCaller(port: port).rest() == "")

            crowd.leave()
            late.leave()
            try await house.wait { try await fresh(port).hasPrefix("HTTP/1.1 200 ") }
        }
    }

    @Test func withoutDescriptorsWhoIsConnectedIsServed() async throws {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = folder.appending(path: "passgate")
        let command = try House.command("passgate")
        try Data("#!/bin/sh\nulimit -n 128\nexec '\(command.path)' \"$@\"\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
        try await House.with(command: script) { house in
            try await house.register("card_1")
            let port = house.gateway.configuration.port
            // The kernel takes connections that the gateway cannot: they wait.
            let crowd = try IdleCrowd(400, to: port)
            let (began, before) = (ContinuousClock.now, try processorTime(of: house.gateway.process.id))
            for _ in 0..<50 {
                #expect(try await house.gateway.client.send(.get, "/v1/cards/card_1").status == 200)
            }
            try await Task.sleep(for: .seconds(1))  // What it does meanwhile is what is looked at.
            let share = (try processorTime(of: house.gateway.process.id) - before) / (ContinuousClock.now - began)
            #expect(share < 0.5, "it spins: \(share) of a processor")
            crowd.leave()
            try await house.wait { try await fresh(port).hasPrefix("HTTP/1.1 200 ") }
        }
    }

    /// A sanitizer has memory of its own for every byte.
    private var isSanitized: Bool { ProcessInfo.processInfo.environment["PASSGATE_SANITIZER"] != nil }

    /// What a new connection is answered.
    private func fresh(_ port: UInt16) async throws -> String {
        let caller = try RawCaller(port: port)
        try? caller.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return try await caller.rest()
    }

    /// The memory that a process has in use, in bytes.
    private func memory(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let kilobytes = status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) }
        return try #require(kilobytes) * 1024
    }

    /// How long a process has been running on a processor.
    private func processorTime(of process: Int32) throws -> Duration {
        let fields = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8).split(separator: " ")
        // In hundredths of a second: in the program, and in the kernel for it.
        return .milliseconds(try #require(Int(fields[13])) * 10) + .milliseconds(try #require(Int(fields[14])) * 10)
    }
}
