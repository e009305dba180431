import ProviderKit
import Sandbox
import Testing

/// What an idempotency key does after each kind of end, at every processor.
@Suite(.serialized)
struct KeyReplayEndToEndTests {
    private static let key = [UpstreamRequest.Header("Idempotency-Key", "one")]
    private static let calls = MatrixCall.all.filter(\.isProvisioning)

    @Test(
        "I08: whether a key runs again follows from the retry class alone, whichever processor gave the answer",
        arguments: [MatrixFault.none, .refused, .status500, .status400, .status429, .cutBody, .page200])
    func theRetryClassAloneDecides(_ fault: MatrixFault) async throws {
        let network = SimulatedNetwork()
        let cells = try Self.calls.enumerated().map { number, call in
            try #require(try MatrixCell(call, meeting: fault, isWarm: false, number: number, network: network))
        }
        defer { for cell in cells { cell.stop() } }
        try await InProcessGateway.with(cells.map(\.connection)) { house in
            try await withThrowingTaskGroup { group in
                for cell in cells { group.addTask { try await check(cell, through: house.client) } }
                try await group.waitForAll()
            }
        }
    }

    private func check(_ cell: MatrixCell, through client: GatewayClient) async throws {
        let attempt = try await cell.provision(through: client, headers: Self.key)
        let again = try await attempt.again()
        let (first, second) = (attempt.answer.json, again.json)
        guard attempt.answer.status != 201 else {
            // A handoff is not kept: it is made again where that does no harm, and refused where it would.
            #expect(again.status == (cell.call.isRepeatable ? 201 : 409), "\(cell): \(again.problemLine)")
            let isRefused = again.code == "handoff_already_delivered"
            #expect(isRefused != cell.call.isRepeatable && Set(cell.calls.map(\.idempotencyKey)).count <= 1, "\(cell)")
            return
        }
        let retry = first?["retry"]?.string
        if retry == "same_request" || retry == "after_delay" {
            #expect(second?["provisioning"]?.string != first?["provisioning"]?.string, "\(cell) ran again")
            #expect(cell.fault == .refused || cell.calls.count > attempt.calls.count, "\(cell)")
        } else {
            for member in ["code", "status", "retry", "outcome", "provisioning", "detail"] {
                let texts = [first, second].map { $0?[member]?.string ?? $0?[member]?.integer.map { "\($0)" } }
                #expect(texts[0] == texts[1], "\(cell): \(member)")
            }
            #expect(cell.calls.count == attempt.calls.count, "\(cell) asked again")
        }
    }
}
