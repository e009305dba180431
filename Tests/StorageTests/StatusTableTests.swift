import Testing

@testable import Storage

/// The table of transitions, cell by cell, against a copy that is written as people read it.
struct StatusTableTests {
    /// A row for each status, a column for each event, in the order of their declaration. A dot: the status stays.
    private static let table = """
                                refuse unknown undeliv handoff added failed cancel request verify active decline day
        sending                 refuse unknown undeliv handoff .     .      .      .       .      .      decline .
        refused                 .      .       .       .       .     .      .      .       .      .      .       .
        unknown                 refuse unknown undeliv handoff added failed cancel request verify active decline day
        undelivered             .      .       .       .       added failed cancel .       .      .      decline day
        handed_off              .      .       .       .       added failed cancel request verify active decline day
        added                   .      .       .       .       .     .      .      request verify active decline .
        requested               .      .       .       .       .     .      .      .       verify active decline .
        verification_required   .      .       .       .       .     .      .      request .      active decline .
        active                  .      .       .       .       .     .      .      request verify .      decline .
        declined                .      .       .       .       .     .      .      .       .      .      .       .
        failed                  .      .       .       .       .     .      .      .       .      .      .       .
        cancelled               .      .       .       .       .     .      .      .       .      .      .       .
        abandoned               .      .       .       .       .     .      .      .       .      .      .       .
        """
    private static let words: [String: ProvisioningStatus] = [
        "refuse": .refused, "unknown": .unknown, "undeliv": .undelivered, "handoff": .handedOff, "added": .added,
        "failed": .failed, "cancel": .cancelled, "request": .requested, "verify": .verificationRequired,
        "active": .active, "decline": .declined, "day": .abandoned,
    ]

    struct Cell: Sendable, CustomTestStringConvertible {
        let from: ProvisioningStatus
        let event: StatusEvent
        let to: ProvisioningStatus?
        var testDescription: String { "\(from.rawValue), \(event.rawValue)" }
    }

    private static let cells: [Cell] = {
        let rows = table.split(separator: "\n").dropFirst().map { $0.split(separator: " ").map(String.init) }
        return rows.flatMap { row in
            zip(StatusEvent.allCases, row.dropFirst()).compactMap { event, word in
                ProvisioningStatus(rawValue: row[0]).map { Cell(from: $0, event: event, to: words[word]) }
            }
        }
    }()

    @Test func theCopyHasEveryCell() {
        #expect(Self.cells.count == ProvisioningStatus.allCases.count * StatusEvent.allCases.count)
    }

    @Test(arguments: cells)
    func anEventLeadsWhereTheTableSays(_ cell: Cell) {
        #expect(cell.from.after(cell.event) == cell.to)
        var record = StoredProvisioning.sample()
        record.status = cell.from
        let moves = record.apply(cell.event, at: Moment.after(5), by: .probe)
        #expect(moves == (cell.to != nil))
        #expect(record.status == cell.to ?? cell.from)
        #expect((record.settlement == StoredSettlement(source: .probe, at: Moment.after(5))) == moves)
        if moves { #expect((record.followUpAt != nil) == record.status.isFollowedUp) }
    }

    @Test func onlyWhatIsOverIsLeftAlone() {
        let over: Set<ProvisioningStatus> = [.sending, .refused, .active, .declined, .failed, .cancelled, .abandoned]
        for status in ProvisioningStatus.allCases { #expect(status.isFollowedUp != over.contains(status)) }
    }
}
