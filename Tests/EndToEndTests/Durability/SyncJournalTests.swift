import Testing

/// The journal itself: what it takes for durable, and what not.
@Suite struct SyncJournalTests {
    private let start: [SyncJournal.Event] = [.create("a"), .syncBegan("f/"), .syncEnded("f/")]

    @Test func keepsWhatWasWrittenBeforeASyncThatEnded() {
        let journal = SyncJournal(
            start + [
                .write("a", offset: 2, bytes: [1, 2]), .syncBegan("a"), .write("a", offset: 0, bytes: [9]),
                .syncEnded("a"), .send(port: 1, count: 1, word: "POST"),
            ])
        #expect(journal.files(durableBefore: journal.events.count) == ["a": [0, 0, 1, 2]])
        #expect(journal.files(durableBefore: journal.events.count - 2) == [:], "the sync had not ended")
        #expect(journal.sends(to: 1) == [7] && journal.syncs(from: 0) == 1)
    }

    @Test func losesAFileWhoseFolderWasNotSynced() {
        let write: [SyncJournal.Event] = [.write("a", offset: 0, bytes: [1]), .syncBegan("a"), .syncEnded("a")]
        #expect(SyncJournal([.create("a")] + write).files(durableBefore: 4) == [:])
        #expect(SyncJournal(start + write).files(durableBefore: 6) == ["a": [1]])
    }

    @Test func cutsGrowsAndRemovesFiles() {
        let sync: [SyncJournal.Event] = [.syncBegan("a"), .syncEnded("a")]
        let write = SyncJournal.Event.write("a", offset: 0, bytes: [1, 2, 3])
        let cut = SyncJournal(start + [write, .truncate("a", length: 1), .truncate("a", length: 2)] + sync)
        #expect(cut.files(durableBefore: cut.events.count) == ["a": [1, 0]])
        let gone = SyncJournal(start + [write] + sync + [.unlink("a")])
        #expect(gone.files(durableBefore: gone.events.count) == [:])
    }

    @Test func trustsOfTwoSyncsAtOnceOnlyWhatTheFirstCovers() {
        let journal = SyncJournal(
            start + [
                .write("a", offset: 0, bytes: [1]), .syncBegan("a"), .write("a", offset: 1, bytes: [2]),
                .syncBegan("a"), .syncEnded("a"),
            ])
        #expect(journal.files(durableBefore: journal.events.count) == ["a": [1]])
    }

    @Test(arguments: ["", "write a 0 0", "write a x 00", "write a 0 zz", "sync a", "send 1 2", "send x 1 POST"])
    func readsNoOtherLine(_ line: String) { #expect(SyncJournal.Event(line[...]) == nil) }

    @Test func readsEveryLineOfTheLibrary() {
        #expect(SyncJournal.Event("write a 4 00ff1a") == .write("a", offset: 4, bytes: [0, 255, 26]))
        #expect(SyncJournal.Event("truncate a 7") == .truncate("a", length: 7))
        #expect(SyncJournal.Event("send 80 5 POST") == .send(port: 80, count: 5, word: "POST"))
    }
}
