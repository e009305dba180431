import Crypto
import ProviderKit
import Provisioning
import SecretMemory
import Storage

/// Runs one import: lines are read and stored a part at a time, the next while the one before it is being written.
struct CardImporter: Sendable {
    /// Lines that are stored together.
    private struct Part: Sendable {
        /// How many lines one transaction takes: enough to share a sync, and few enough that others do not wait long.
        static let countLimit = 256
        /// How many bytes of lines are held at once.
        static let byteLimit = 1 << 20

        var cards: [(line: Int, draft: Result<CardDraft, Problem>)] = []
        var texts: [SecretBytes] = []
        var bytes = 0
        /// The digest of every line so far.
        var digest: [UInt8] = []

        var isFull: Bool { cards.count >= Self.countLimit || bytes >= Self.byteLimit }
    }

    /// How many lines are read before others have their turn.
    private static let turn = 32

    let gateway: Gateway
    let program: Program
    let order: CardImportOrder
    let id: String

    /// Imports everything that `next` brings.
    ///
    /// - Throws: What `next` throws; `overloaded` where the store cannot be written. What is stored then stays.
    func run(_ next: () async throws(Problem) -> SecretBytes?) async throws(Problem) -> CardImportReport {
        let result = await withTaskGroup(of: Result<CardImportReport, Problem>.self) { group in
            do throws(Problem) { return Result<_, Problem>.success(try await feed(&group, next)) } catch {
                return .failure(error)
            }
        }
        do throws(StoreFailure) {
            try await gateway.store.endImport(id, isWhole: (try? result.get()) != nil, at: gateway.clock.now)
        } catch {
            throw Problem(store: error)
        }
        return try result.get()
    }

    private func feed(
        _ group: inout TaskGroup<Result<CardImportReport, Problem>>, _ next: () async throws(Problem) -> SecretBytes?
    ) async throws(Problem) -> CardImportReport {
        var splitter = LineSplitter(limit: order.lineLimit)
        var report = CardImportReport()
        var part = Part()
        var lines = 0
        while let piece = try await next() {
            for line in splitter.take(piece) {
                read(line, into: &part)
                lines += 1
                if lines % Self.turn == 0 { await Task.yield() }
                if part.isFull { try await store(&part, in: &group, &report) }
            }
        }
        if let line = splitter.finish() { read(line, into: &part) }
        if !part.cards.isEmpty { try await store(&part, in: &group, &report) }
        try await take(await group.next(), into: &report)
        return report
    }

    private func read(_ line: LineSplitter.Line, into part: inout Part) {
        guard let text = line.text else {
            let detail = "The line has more than \(order.lineLimit) bytes."
            return part.cards.append((line.number, .failure(Problem(.payloadTooLarge, detail: detail))))
        }
        part.texts.append(text)
        part.bytes += text.count
        do throws(Problem) {
            let draft = try order.read(text)
            if let binding = draft.binding { _ = try gateway.check(binding, of: program, at: "/binding") }
            part.cards.append((line.number, .success(draft)))
        } catch {
            part.cards.append((line.number, .failure(error)))
        }
    }

    /// Has a part written once the one before it is, and begins another one.
    private func store(
        _ part: inout Part, in group: inout TaskGroup<Result<CardImportReport, Problem>>,
        _ report: inout CardImportReport
    ) async throws(Problem) {
        try await take(await group.next(), into: &report)
        part.digest = digest(of: part)
        let full = part
        group.addTask { await store(full) }
        part = Part()
        part.digest = full.digest
    }

    private func take(_ result: Result<CardImportReport, Problem>?, into report: inout CardImportReport)
        async throws(Problem)
    {
        guard let result else { return }
        report.add(try result.get())
        order.progress(report)
    }

    /// A keyed digest of the lines so far, and the id of its key. Parts are cut by their lines alone, so that a file has
    /// one digest.
    private func digest(of part: Part) -> [UInt8] {
        var builder = SecretBuilder(capacity: part.bytes + part.texts.count + 64)
        builder.append(part.digest)
        for text in part.texts {
            builder.append(0x0a)
            builder.append(text)
        }
        let digesters = gateway.keys.digesters(purpose: "import")
        return digesters[0].keyID + digesters[0].digest(builder.finish())
    }

    private func store(_ part: Part) async -> Result<CardImportReport, Problem> {
        let cards = await verified(part.cards)
        let drafts = cards.compactMap { try? $0.draft.get() }
        let stored: [PutCardResult]
        do throws(StoreFailure) {
            stored = try await gateway.store.importCards(
                CardImportPart(
                    id: id, program: program.name, actor: order.actor, drafts: drafts,
                    refusedLines: cards.count - drafts.count,
                    digest: Base64.encode(part.digest, alphabet: .urlSafe, padded: false), at: gateway.clock.now))
        } catch {
            return .failure(Problem(store: error))
        }
        var report = CardImportReport()
        var results = stored.makeIterator()
        for (line, draft) in cards {
            switch draft {
            case .failure(let problem): report.add(problem, line: line)
            case .success: if let result = results.next() { report.add(result, line: line) }
            }
        }
        return .success(report)
    }
}

extension CardImportReport {
    fileprivate mutating func add(_ result: PutCardResult, line: Int) {
        switch result {
        case .created: imported += 1
        case .updated: updated += 1
        case .incomplete, .bindingConflict, .boundElsewhere:
            if let problem = Problem(refused: result) { add(problem, line: line) }
        }
    }
}
