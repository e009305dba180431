/// Values as libpq takes them, in one buffer that lives as long as the call.
enum Parameters {
    /// Calls `body` with the values' addresses, lengths and formats. Text and bytes go as they are, so that a NUL within
    /// them is the server's to refuse and cuts nothing off; numbers go as digits, which fit every numeric type.
    static func withPointers<Result>(
        to values: [PostgreSQLValue],
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        var buffer: [UInt8] = []
        var offsets: [Int?] = []
        var lengths: [Int32] = []
        var formats: [Int32] = []
        for value in values {
            let start = buffer.count
            var isPresent = true
            var isBinary = true
            switch value {
            case .null: isPresent = false
            case .integer(let number):
                buffer.append(contentsOf: String(number).utf8)
                isBinary = false
            case .text(let text): buffer.append(contentsOf: text.utf8)
            case .bytes(let bytes): buffer.append(contentsOf: bytes)
            }
            offsets.append(isPresent ? start : nil)
            lengths.append(Int32(buffer.count - start))
            formats.append(isBinary ? 1 : 0)
            buffer.append(0)
        }
        return buffer.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }, lengths, formats)
        }
    }
}
