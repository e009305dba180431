/// An input that has a head of lines and, after the first empty line, a body. Without an empty line all of it is head.
struct SplitInput {
    let lines: [String]
    let body: [UInt8]

    init(_ bytes: [UInt8]) {
        var lines: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0a }
            rest = rest.dropFirst(line.count + 1)
            if line.isEmpty { break }
            lines.append(String(decoding: line, as: UTF8.self))
        }
        self.lines = lines
        body = Array(rest)
    }

    /// The words of the first line.
    var words: [Substring] { lines.first?.split(separator: " ") ?? [] }

    /// The header fields on the lines after the first, as a server hands them over: names in lower case.
    var fields: [(name: String, value: String)] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (line[..<colon].lowercased(), String(value))
        }
    }
}
