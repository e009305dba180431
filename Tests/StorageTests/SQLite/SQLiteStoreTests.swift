import Foundation
import Provisioning
import SQLite
import Storage
import Testing

struct SQLiteStoreTests {
    let folder: TemporaryFolder
    let test: SQLiteUnderTest

    init() throws {
        folder = try TemporaryFolder()
        test = SQLiteUnderTest(path: folder.file("passgate.db"))
    }

    private func raw() throws -> Connection { try Connection(path: test.path, mode: .readWrite) }

    @Test func theFileIsCreatedForItsOwnerAlone() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        for name in ["passgate.db", "passgate.db-wal", "passgate.db-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func everyChangeIsSyncedInTheLog() throws {
        _ = try test.openSQLite()
        #expect(try raw().first("PRAGMA journal_mode") { $0.text(0) } == "wal")
    }

    @Test func aReservationIsCommittedWhenItReturns() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        let other = try raw()
        for number in 0..<20 {
            let id = "prov_\(number)"
            #expect(try await store.reserve(.sample(.sample(id), digest: [UInt8(number)])) == .reserved)
            let status = try other.first("SELECT status FROM provisioning WHERE id = ?", .text(id)) { $0.text(0) }
            #expect(status == "sending")
        }
    }

    @Test func aCompletionIsVisibleBeforeItIsWritten() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
        // While another process holds the write lock, nothing can be committed.
        let other = try raw()
        try other.beginImmediate()
        let ended = StoredProvisioning.sample().ended(.handedOff)
        let ending = IdempotencyEnding.handoff(provisioning: "prov_1", upstreamKey: nil, at: Moment.start)
        try await store.complete(
            ProvisioningCompletion(record: ended, releasedHandshake: nil, idempotency: (.sample(), ending)))
        #expect(try await store.provisioning("prov_1", program: "rides") == ended)
        let query = ProvisioningQuery(program: "rides", page: PageRequest())
        #expect(try await store.provisionings(query).elements == [ended])
        #expect(try await store.idempotency(.sample(), at: Moment.after(1))?.ending == ending)
        func status() throws -> String? { try other.first("SELECT status FROM provisioning") { $0.text(0) } }
        #expect(try status() == "sending")
        other.rollback()
        // It is written by itself, without any further request.
        let patience = ContinuousClock.now + .seconds(20)
        while try status() == "sending", ContinuousClock.now < patience { await Task.yield() }
        #expect(try status() == "handed_off")
        #expect(try await store.provisioning("prov_1", program: "rides") == ended)
    }

    @Test func aCloseWritesWhatWaits() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        for number in 0..<50 {
            let record = StoredProvisioning.sample("prov_\(number)")
            #expect(try await store.reserve(.sample(record, digest: nil)) == .reserved)
            try await store.complete(ProvisioningCompletion(record.ended(.handedOff)))
        }
        await store.close()
        let count = try raw().first("SELECT count(*) FROM provisioning WHERE status = 'handed_off'") { $0.integer(0) }
        #expect(count == 50)
        #expect(!FileManager.default.fileExists(atPath: folder.file("passgate.db-wal")), "the log is folded in")
    }

    @Test func oneFailureInAGroupCostsNobodyElseAnything() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        let results = await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 0..<60 {
                group.addTask {
                    // Every third one uses an id that another has.
                    let id = number % 3 == 0 ? "prov_same" : "prov_\(number)"
                    let result = try? await store.reserve(.sample(.sample(id), digest: [UInt8(number)]))
                    return (number, result == .reserved)
                }
            }
            return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        #expect(results.filter { $0.key % 3 != 0 }.values.allSatisfy { $0 })
        #expect(results.filter { $0.key % 3 == 0 }.values.count { $0 } == 1)
        let count = try raw().first("SELECT count(*) FROM spent_handshake") { $0.integer(0) }
        #expect(count == 41)
    }

    @Test func anErasedCardLeavesNoPersonalByteInTheFile() async throws {
        let store = try test.openSQLite()
        var draft = CardDraft.sample("pseudonym_1", provider: "card_canaryprovider", cardholder: "canaryholder")
        draft.cardholderName = "Canaryname"
        draft.metadata = #"{"k":"canarymetadata"}"#
        _ = try await store.putCard(draft, audit: .backend)
        var record = StoredProvisioning.sample(card: "pseudonym_1")
        record.providerCardID = "card_canaryprovider"
        var reservation = Reservation.sample(record)
        reservation.card.cardholderID = "canaryholder"
        reservation.card.cardholderName = "Canaryname"
        #expect(try await store.reserve(reservation) == .reserved)
        #expect(try await store.eraseCard(.rides("pseudonym_1"), audit: .backend))
        await store.close()
        let bytes = try Data(contentsOf: URL(filePath: test.path))
        #expect(bytes.range(of: Data("pseudonym_1".utf8)) != nil)
        for canary in ["canaryprovider", "canaryholder", "Canaryname", "canarymetadata"] {
            #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(canary)")
        }
    }

    @Test func theTrailCannotBeChangedOrCut() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        let other = try raw()
        #expect(throws: SQLiteError.self) { try other.run("UPDATE audit SET actor = 'x'") }
        #expect(throws: SQLiteError.self) { try other.run("DELETE FROM audit") }
    }

    @Test func theLogIsCopiedWhileOthersWrite() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        let blob = String(repeating: "x", count: 200_000)
        // Far more than the log may hold: without checkpoints that succeed it would be as large as all of this.
        for number in 0..<400 {
            var record = StoredProvisioning.sample("prov_\(number)")
            record.timeline[0].detail = blob
            #expect(try await store.reserve(.sample(record, digest: nil)) == .reserved)
        }
        let log = try FileManager.default.attributesOfItem(atPath: folder.file("passgate.db-wal"))[.size] as? Int ?? 0
        #expect(log < 60_000_000)
    }

    @Test func aReaderThatStaysHoldsUpFewWrites() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        let reader = try Connection(path: folder.file("passgate.db"), mode: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM sqlite_master;")
        defer { reader.close() }
        let blob = String(repeating: "x", count: 200_000)
        var slow = 0
        for number in 0..<400 {
            var record = StoredProvisioning.sample("prov_\(number)")
            record.timeline[0].detail = blob
            let start = ContinuousClock.now
            #expect(try await store.reserve(.sample(record, digest: nil)) == .reserved)
            if ContinuousClock.now - start > .seconds(2) { slow += 1 }
            if slow > 2 { break }
        }
        #expect(slow <= 2)
    }
}
