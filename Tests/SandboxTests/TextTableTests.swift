import Sandbox
import Testing

struct TextTableTests {
    @Test func columnsAreAsWideAsTheirWidestCell() {
        var table = TextTable([("wallet", .left), ("ms", .right), ("device", .left)])
        table.add(["Apple Pay", "7", "••4242"])
        table.add(["Google Pay", "120", ""])
        #expect(
            table.lines == [
                "wallet       ms  device",
                "──────────  ───  ──────",
                "Apple Pay     7  ••4242",
                "Google Pay  120",
            ])
    }

    @Test func missingCellsStayEmpty() {
        var table = TextTable([("a", .left), ("b", .left)])
        table.add(["x"])
        #expect(table.lines.last == "x")
    }
}
