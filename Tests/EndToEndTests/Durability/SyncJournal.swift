import Foundation

/// What a preloaded command wrote, synced and sent, in the order of the kernel: see `Tests/SyncJournal`.
struct SyncJournal {
    /// One line of the journal.
    enum Event: Equatable {
        case create(String)
        case write(String, offset: Int, bytes: [UInt8])
        case truncate(String, length: Int)
        case unlink(String)
        case syncBegan(String)
        case syncEnded(String)
        case send(port: Int, count: Int, word: String)

        /// A whole line; nil where it is none.
        init?(_ line: Substring) {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            switch (words[0], words.count) {
            case ("create", 2): self = .create(words[1])
            case ("unlink", 2): self = .unlink(words[1])
            case ("sync-began", 2): self = .syncBegan(words[1])
            case ("sync-ended", 2): self = .syncEnded(words[1])
            case ("truncate", 3):
                guard let length = Int(words[2]) else { return nil }
                self = .truncate(words[1], length: length)
            case ("write", 4):
                guard let offset = Int(words[2]), let bytes = Self.bytes(ofHex: words[3]) else { return nil }
                self = .write(words[1], offset: offset, bytes: bytes)
            case ("send", 4):
                guard let port = Int(words[1]), let count = Int(words[2]) else { return nil }
                self = .send(port: port, count: count, word: words[3])
            default: return nil
            }
        }

        private static func bytes(ofHex text: String) -> [UInt8]? {
            let digits = text.utf8.map { $0 < 0x3a ? $0 &- 0x30 : $0 &- 0x57 }
            guard digits.count % 2 == 0, digits.allSatisfy({ $0 < 16 }) else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
    }

    /// What happened, in order.
    let events: [Event]

    /// A journal of these events.
    init(_ events: [Event]) { self.events = events }

    /// Reads a journal that is still being written: a line that is not whole yet is left out.
    init(contentsOf file: URL) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        events = try lines.map { line in
            guard let event = Event(line) else { throw JournalUnreadable(line: String(line.prefix(80))) }
            return event
        }
    }

    /// A line that the library does not write.
    struct JournalUnreadable: Error {
        let line: String
    }

    /// Where bytes go to the port, from an event on.
    func sends(to port: Int, from start: Int = 0) -> [Int] {
        events.indices.dropFirst(start).filter { index in
            guard case .send(port, _, _) = events[index] else { return false }
            return true
        }
    }

    /// How many syncs of files ended between two events. Folders do not count.
    func syncs(from start: Int, to end: Int? = nil) -> Int {
        events[start..<(end ?? events.count)].count { event in
            guard case .syncEnded(let name) = event else { return false }
            return !name.hasSuffix("/")
        }
    }

    /// The files as they are on disk for certain if the power fails just before an event: every write counts that was
    /// made before a sync of its file began which ended in time, and no other.
    func files(durableBefore cut: Int) -> [String: [UInt8]] {
        let synced = lastSynced(before: cut)
        let folder = synced.filter { $0.key.hasSuffix("/") }.values.max() ?? 0
        var files: [String: [UInt8]] = [:]
        var isLost: Set<String> = []
        for (index, event) in events[..<cut].enumerated() {
            switch event {
            case .create(let name):
                files[name] = []
                if index < folder { isLost.remove(name) } else { isLost.insert(name) }
            case .unlink(let name): files[name] = nil
            case .write(let name, let offset, let bytes) where index < synced[name] ?? 0:
                var file = files[name] ?? []
                file += [UInt8](repeating: 0, count: max(0, offset + bytes.count - file.count))
                file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
                files[name] = file
            case .truncate(let name, let length) where index < synced[name] ?? 0:
                let file = (files[name] ?? []).prefix(length)
                files[name] = file + [UInt8](repeating: 0, count: length - file.count)
            default: break
            }
        }
        return files.filter { !isLost.contains($0.key) && !$0.value.isEmpty }
    }

    /// For each name, the event before which everything is synced.
    private func lastSynced(before cut: Int) -> [String: Int] {
        var began: [String: [Int]] = [:]
        var synced: [String: Int] = [:]
        for (index, event) in events[..<cut].enumerated() {
            switch event {
            case .syncBegan(let name): began[name, default: []].append(index)
            case .syncEnded(let name):
                // Of several that run, the one that ended may be the one that began first.
                guard let start = began[name]?.first else { continue }
                began[name]?.removeFirst()
                synced[name] = max(start, synced[name] ?? 0)
            default: break
            }
        }
        return synced
    }
}
