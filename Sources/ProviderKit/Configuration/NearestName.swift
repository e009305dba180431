/// Finds what a mistyped name was probably meant to be.
public enum NearestName: Sendable {
    /// The known name with the fewest changed letters, where they are few enough to be a mistake; else nil.
    public static func of(_ name: String, among known: some Sequence<String>) -> String? {
        let name = Array(name.utf8.prefix(64))
        var nearest: (name: String, distance: Int)?
        for candidate in known.sorted() {
            let distance = distance(name, Array(candidate.utf8))
            guard distance <= max(1, min(name.count, candidate.utf8.count) / 3) else { continue }
            if distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
        }
        return nearest?.name
    }

    /// How many letters must be changed, added, removed or swapped with their neighbour.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var before: [Int] = []
        var row = Array(0...right.count)
        for (line, letter) in left.enumerated() {
            var next = [line + 1]
            for (column, other) in right.enumerated() {
                var best = min(row[column] + (letter == other ? 0 : 1), row[column + 1] + 1, next[column] + 1)
                if line > 0, column > 0, letter == right[column - 1], left[line - 1] == other {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            before = row
            row = next
        }
        return row[right.count]
    }
}
