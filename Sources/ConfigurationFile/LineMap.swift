/// Where each key path of a configuration stands.
public struct LineMap: Sendable {
    private var lines: [String: Int] = [:]

    mutating func set(_ keyPath: String, line: Int) { lines[keyPath] = line }

    /// The line of the key path, or of the nearest one above it.
    func line(of keyPath: String) -> Int? {
        var path = keyPath[...]
        while !path.isEmpty {
            if let line = lines[String(path)] { return line }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            path = path[..<end]
        }
        return nil
    }
}
