/// A table for a terminal or a log: plain text, columns aligned, no colour.
public struct TextTable: Sendable {
    /// How a column's cells stand.
    public enum Alignment: Sendable {
        /// At the left.
        case left
        /// At the right, for numbers.
        case right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    /// An empty table with its columns.
    public init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    /// Adds a row; cells that are missing stay empty.
    public mutating func add(_ cells: [String]) {
        rows.append(columns.indices.map { $0 < cells.count ? cells[$0] : "" })
    }

    /// The lines, the titles and a rule first, without spaces at the end.
    public var lines: [String] {
        let titles = columns.map(\.title)
        let widths = columns.indices.map { index in ([titles] + rows).map { $0[index].count }.max() ?? 0 }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([titles, rule] + rows).map { cells in
            let line = columns.indices.map { index in
                let space = String(repeating: " ", count: widths[index] - cells[index].count)
                return columns[index].alignment == .right ? space + cells[index] : cells[index] + space
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
