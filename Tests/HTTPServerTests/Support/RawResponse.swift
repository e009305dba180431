/// One answer as a client read it.
struct RawResponse: Sendable, Equatable {
    let status: Int
    /// Names in lower case, in the order they came.
    let headers: [String]
    let body: String

    /// The value of the first field of that name, given in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    /// Takes the first whole answer of the bytes, and how many they are; nil where it is not whole yet.
    static func first(of bytes: [UInt8], isHead: Bool = false) -> (response: RawResponse, length: Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let headers = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return line[..<colon].lowercased() + line[colon...]
        }
        let words = lines.first?.split(separator: " ") ?? []
        let status = words.count > 1 ? Int(words[1]) ?? 0 : 0
        let length = headers.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        let bodyEnd = end.upperBound + (isHead || status < 200 ? 0 : length)
        guard bytes.count >= bodyEnd else { return nil }
        let body = String(decoding: bytes[end.upperBound..<bodyEnd], as: UTF8.self)
        return (RawResponse(status: status, headers: headers, body: body), bodyEnd)
    }
}
