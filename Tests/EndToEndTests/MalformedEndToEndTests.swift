import Foundation
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// What is no HTTP, at both listeners of the real command.
@Suite(.serialized)
struct MalformedEndToEndTests {
    private func malformed(_ key: SecretText) -> [String] {
        let fields = "Host: gateway\r\nContent-Type: application/json\r\nAuthorization: Bearer \(key.reveal())\r\n"
        let head = "POST /v1/cards/card_1/provisionings HTTP/1.1\r\n" + fields
        return [
            "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\u{3}\u{3}\n",
            "GET / HTTP/2.0\r\nHost: gateway\r\n\r\n",
            "nonsense\r\n\r\n",
            head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            head + "Transfer-Encoding: chunked\r\n\r\nnonsense\r\n",
            head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}0\r\n\r\n",
            head + "Content-Length: 9\r\n\r\n{}",
            "GET /healthz HTTP/1.1\r\nHost: gateway\r\n\r\nGET / HTTP/2.0\r\nHost: gateway\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: gateway\r\n\r\nnonsense\r\n\r\n",
        ]
    }

    @Test func theAnswerIsAProblem() async throws {
        try await House.with { house in
            let gateway = house.gateway.configuration
            for port in [gateway.port, gateway.adminPort] {
                for bytes in malformed(gateway.apiKey) {
                    let caller = try RawCaller(port: port)
                    try caller.send(bytes)
                    caller.halfClose()
                    let answers = try await caller.rest()
                    let last = answers.components(separatedBy: "HTTP/1.1 ").last ?? ""
                    #expect(last.hasPrefix("400 "), "\(bytes.debugDescription): \(answers)")
                    #expect(last.contains("Content-Type: application/problem+json"))
                    #expect(last.contains("\"code\":\"invalid_request\"") && last.contains("\"request_id\":\"req_"))
                    #expect(!answers.contains("<html>"))
                }
            }
            #expect(try await house.gateway.client.send(.get, "/healthz").status == 200)
        }
    }
}
