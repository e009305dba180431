import Foundation
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// Cards that come in bulk, over sockets of every kind of caller, into the real command.
@Suite(.serialized)
struct ImportEndToEndTests {
    private static func line(_ number: Int, title: String = "Zoë 👩🏽‍🚀") -> String {
        """
        {"id":"card_\(number)","binding":{"connection":"increase_demo","provider_card_id":"sandbox_card_x\(number)",\
        "last4":"4242","network":"visa"},"cardholder":{"id":"user_1","name":"Ada Example"},"title":"\(title)"}
        """
    }

    private func head(_ house: House, _ framing: String) -> String {
        let key = house.gateway.configuration.apiKey.reveal()
        return """
            POST /v1/cards/import HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer \(key)\r\n\
            Content-Type: application/x-ndjson\r\n\(framing)\r\n\r\n
            """
    }

    private func card(_ number: Int, _ house: House) async throws -> GatewayAnswer {
        try await house.gateway.client.send(.get, "/v1/cards/card_\(number)")
    }

    @Test(arguments: [1, 7, 4096])
    func chunksMayEndAnywhere(size: Int) async throws {
        try await House.with { house in
            let text = (1...20).map { Self.line($0) }.joined(separator: "\n")
            let bytes = Array(text.utf8)
            var body: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let chunk = bytes[start..<min(start + size, bytes.count)]
                body += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
            }
            body += Array("0\r\n\r\n".utf8)
            let caller = try RawCaller(port: house.gateway.configuration.port)
            try caller.send(head(house, "Transfer-Encoding: chunked"))
            try caller.send(body)
            let answer = try await caller.rest()
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
            #expect(answer.contains(#"{"imported":20,"updated":0,"failed":0,"errors":[]}"#))
            #expect(try await card(20, house).json?["title"]?.string == "Zoë 👩🏽‍🚀")
        }
    }

    @Test func manyMoreBytesThanABodyMayHaveAreReadLineByLine() async throws {
        try await House.with(adjusting: { $0.additions = "limits: { body_bytes: 1024 }" }) { house in
            var lines = (1...5000).map { Self.line($0, title: "T") }
            lines[99] = Self.line(100, title: String(repeating: "x", count: 2000))
            let text = Array((lines.joined(separator: "\n") + "\n").utf8)
            let caller = try RawCaller(port: house.gateway.configuration.port)
            try caller.send(head(house, "Content-Length: \(text.count)\r\nConnection: close"))
            try caller.send(text)
            let answer = try await caller.rest()
            #expect(
                answer.contains(
                    #"{"imported":4999,"updated":0,"failed":1,"errors":[{"line":100,"code":"payload_too_large""#))
            #expect(try await card(5000, house).status == 200)
        }
    }

    @Test func whoLeavesMidwaySendsTheSameAgain() async throws {
        try await House.with { house in
            let text = (1...2000).map { Self.line($0) + "\n" }.joined()
            let caller = try RawCaller(port: house.gateway.configuration.port)
            try caller.send(head(house, "Content-Length: \(text.utf8.count + 9)"))
            try caller.send(text)
            // What came is stored although more was to come.
            try await house.wait { try await card(1000, house).status == 200 }
            try caller.reset()
            let again = try RawCaller(port: house.gateway.configuration.port)
            try again.send(head(house, "Content-Length: \(text.utf8.count)\r\nConnection: close"))
            try again.send(text)
            let answer = try await again.rest()
            #expect(answer.contains("\"failed\":0"), "\(answer)")
            #expect(try await card(2000, house).status == 200)
            let verified = try await verify(house)
            #expect(verified.code == 0 && verified.output.contains("demo: 2 entries, whole"), "\(verified.output)")
        }
    }

    @Test func aSlowCallerIsReadAsItSends() async throws {
        try await House.with { house in
            let text = Array([Self.line(1), Self.line(2)].joined(separator: "\n").utf8)
            let caller = try RawCaller(port: house.gateway.configuration.port)
            try caller.send(head(house, "Content-Length: \(text.count)\r\nConnection: close"))
            for byte in text { try caller.send([byte]) }
            #expect(try await caller.rest().contains(#"{"imported":2,"updated":0,"failed":0,"errors":[]}"#))
        }
    }

    @Test func aFileIsImportedBesideTheRunningGateway() async throws {
        try await House.with { house in
            let file = house.gateway.folder.appending(path: "cards.ndjson")
            try Data((1...700).map { Self.line($0) }.joined(separator: "\n").utf8).write(to: file)
            let result = try await run(["cards", "import", file.path, "--json"], house)
            #expect(result.code == 0 && result.output == #"{"imported":700,"updated":0,"failed":0,"errors":[]}"# + "\n")
            #expect(try await card(700, house).json?["serving"]?.string == "increase_demo")
        }
    }

    @Test func theEndOfTheTrailIsLogged() async throws {
        try await House.with { house in
            try await house.register("card_1")
            _ = await house.gateway.stop()
            let log = house.gateway.process.output
            let line = try #require(log.split(separator: "\n").last { $0.contains("\"audit_head\"") })
            let head = try #require(line.firstMatch(of: /"head":"([0-9]+:[0-9a-f]+)"/)?.1)
            let found = try await verify(house, ["--head", String(head), "--program", "demo"])
            #expect(found.code == 0, "\(found.output)")
        }
    }

    private func verify(_ house: House, _ words: [String] = []) async throws -> (code: Int32?, output: String) {
        try await run(["audit", "verify"] + words, house)
    }

    /// Runs the command beside the gateway, with its configuration.
    private func run(_ words: [String], _ house: House) async throws -> (code: Int32?, output: String) {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = house.gateway.folder.appending(path: "passgate.yaml").path
        let process = try ChildProcess(
            command: House.command("passgate"), arguments: words + ["--config", configuration], in: folder)
        let code = await process.exit(within: .seconds(60))
        return (code, process.output)
    }
}
