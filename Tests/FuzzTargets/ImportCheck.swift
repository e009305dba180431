import Facade
import Gateway
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Synchronization

/// The text of an import. Cut into pieces in any way, it holds the same lines.
struct ImportCheck: Sendable {
    private static let lineLimit = 4096

    private let house: ClosedGateway

    init() async throws { house = try await ClosedGateway() }

    func check(_ input: [UInt8]) async throws(BrokenPromise) {
        let whole = await lines(of: [input])
        for size in [1, 3, max(input.count / 2, 1)] where size < input.count {
            let pieces = stride(from: 0, to: input.count, by: size).map {
                Array(input[$0..<min($0 + size, input.count)])
            }
            let cut = await lines(of: pieces)
            try promise(cut == whole, "pieces of \(size) bytes hold other lines")
        }
        for line in whole { try checkLine(line) }
    }

    /// The lines that the importer asks to have read, in order.
    private func lines(of pieces: [[UInt8]]) async -> [SecretBytes] {
        let seen = SeenLines()
        let order = CardImportOrder(
            program: ClosedGateway.program, actor: AuditActor(name: "fuzz"), lineLimit: Self.lineLimit,
            read: { line throws(Problem) in
                seen.add(line)
                throw Problem(.invalidRequest)
            })
        var rest = pieces[...]
        _ = try? await house.gateway.importCards(order) { () throws(Problem) in
            rest.popFirst().map { SecretBytes($0) }
        }
        return seen.all
    }

    private func checkLine(_ line: SecretBytes) throws(BrokenPromise) {
        try promise(!line.isEmpty && line.count <= Self.lineLimit, "a line of \(line.count) bytes")
        let draft: CardDraft
        do throws(Problem) { draft = try read(line) } catch {
            let isKnown = [.invalidRequest, .malformedJSON].contains(error.code)
            try promise(isKnown, "a line is refused as \(error.code.rawValue)")
            if error.code == .invalidRequest { try promise(!error.errors.isEmpty, "a refusal that names nothing") }
            return
        }
        guard let canonical = try? JSONParser().parse(line).root.canonical else {
            throw BrokenPromise("a card was read from what is no JSON")
        }
        let again = try? read(canonical)
        try promise(again == draft, "the canonical form of a line is another card")
    }

    private func read(_ line: SecretBytes) throws(Problem) -> CardDraft {
        try CardLine.read(
            line, program: ClosedGateway.program, with: JSONParser(), at: AdapterBench.clock.now)
    }
}

/// The lines that were to be read, in order.
private final class SeenLines: Sendable {
    private let lines = Mutex<[SecretBytes]>([])

    var all: [SecretBytes] { lines.withLock { $0 } }

    func add(_ line: SecretBytes) { lines.withLock { $0.append(line) } }
}
