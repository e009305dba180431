/// Rows of cells, each column as wide as its widest cell.
enum Table {
    /// The rows as lines; the last column is as it is.
    static func lines(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in column == row.count - 1 ? cell : cell.padded(to: widths[column]) }
                .joined(separator: "  ")
        }
    }
}
