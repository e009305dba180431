import Foundation
import SecretMemory
import Testing

struct SecretSourceTests {
    @Test func readsAWholeFile() throws {
        let path = NSTemporaryDirectory() + "passgate-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        for count in [0, 1, 4095, 4096, 4097, 20_000] {
            let contents = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try Data(contents).write(to: URL(filePath: path))
            #expect(try SecretBytes(contentsOfFile: path, limit: 20_000).reveal() == contents)
        }
        #expect(throws: FileFailure("is larger than 19999 bytes")) {
            try SecretBytes(contentsOfFile: path, limit: 19_999)
        }
    }

    @Test func saysWhyAFileCannotBeRead() {
        #expect(throws: FileFailure("does not exist")) {
            try SecretBytes(contentsOfFile: "/nonexistent/file", limit: 10)
        }
        #expect(throws: FileFailure("is a folder")) { try SecretBytes(contentsOfFile: "/tmp", limit: 10) }
    }

    @Test func readsTheEnvironment() {
        #expect(SecretText(environmentVariable: "PATH")?.reveal() == ProcessInfo.processInfo.environment["PATH"])
        #expect(SecretText(environmentVariable: "PASSGATE_TEST_VARIABLE_NOBODY_SETS") == nil)
    }
}
