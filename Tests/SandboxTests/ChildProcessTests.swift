import Foundation
import Testing

@testable import Sandbox

struct ChildProcessTests {
    private func with(_ script: String, _ body: (ChildProcess) async throws -> Void) async throws {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try ChildProcess(command: URL(filePath: "/bin/sh"), arguments: ["-c", script], in: folder)
        try await body(process)
        await process.stop()
    }

    @Test func itsOutputAndStatusAreKept() async throws {
        try await with("echo out; echo err >&2; exit 3") { process in
            #expect(await process.exit(within: .seconds(30)) == 3)
            #expect(process.output == "out\n" && String(decoding: process.written, as: UTF8.self) == "out\nerr\n")
        }
    }

    @Test func aSignalThatEndsItIsANegativeStatus() async throws {
        try await with("exec sleep 600") { process in
            #expect(await process.exit(within: .milliseconds(20)) == nil)
            process.signal(SIGKILL)
            #expect(await process.exit(within: .seconds(30)) == -SIGKILL)
        }
    }

    @Test func aCommandThatIsNotThereIsAFailure() throws {
        #expect(throws: LaboratoryFailure.self) {
            try ChildProcess(
                command: URL(filePath: "/nowhere/passgate"), arguments: [], in: FileManager.default.temporaryDirectory)
        }
    }

    @Test func itEndsWhenItsWatchdogSeesTheParentDie() async throws {
        try await with("exec sleep 600") { process in
            let watchdog = try #require(Watchdog(over: process.id, grace: 1))
            watchdog.bite()
            let status = try #require(await process.exit(within: .seconds(30)))
            #expect(status == -SIGTERM || status == -SIGKILL)
            watchdog.dismiss()
        }
    }
}
