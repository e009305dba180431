import CMicrohttpd

/// Takes the header fields of a request out of the library.
///
/// A head that we have looked at before the library did is only copied. One that we have not, of a client that
/// pipelines, is checked here by the same rules. The library has by then cut the head up in its buffer, each separator
/// a zero, and passes over some forms without a trace in the values: a line that continues the one before, a bare line
/// feed, a zero byte. So the check also wants every name and value where it stands if none of these has been there.
struct FieldReader {
    private(set) var fields: [(name: String, value: String)] = []
    private var rules = FramingRules()
    private var refusal: HTTPRefusal?
    private let isChecking: Bool
    /// Where the request line begins.
    private var start: UnsafePointer<CChar>?
    /// Where the next field's name must begin.
    private var expected: UnsafePointer<CChar>?

    /// A reader that checks where it is given the request line.
    init(checking text: HTTPWorker.RequestText?, _ exchange: HTTPExchange) {
        isChecking = text != nil
        fields.reserveCapacity(16)
        guard let text, let method = text.method, let target = text.target, let version = text.version else { return }
        rules.isVersion11 = version[7] == 0x31
        rules.records += exchange.query.utf8.count { $0 == 0x26 }
        let length = Self.length(method)
        let isMethod = UnsafeBufferPointer(start: method, count: length).allSatisfy {
            FramingRules.isTokenByte(UInt8(bitPattern: $0))
        }
        let isVersion = version[7] == 0x30 || version[7] == 0x31
        let isWhole = target == method + length + 1 && version == target + exchange.targetBytes + 1
        if !exchange.hasTarget || !isMethod || !isVersion || !isWhole {
            refusal = .malformed("the request line is not one method, one target and one version")
        }
        start = method
        expected = version + 8 + 2
    }

    /// Whether no field asks for the connection to be closed.
    var clientKeeps: Bool {
        !fields.contains { $0.name == "connection" && $0.value.lowercased().contains("close") }
    }

    /// Reads every field, in the order they came.
    mutating func read(_ handle: OpaquePointer) {
        withUnsafeMutablePointer(to: &self) { pointer in
            _ = MHD_get_connection_values_n(
                handle, .HEADER_KIND,
                { context, _, name, nameLength, value, valueLength in
                    guard let context, let name else { return .NO }
                    context.assumingMemoryBound(to: FieldReader.self).pointee
                        .take(name, nameLength, value, valueLength)
                    return .YES
                }, pointer)
        }
    }

    /// What a head of so many bytes that was checked here amounts to.
    func conclude(bytes: Int) -> HeadReading {
        if let refusal { return .refused(refusal) }
        // After the last field stands the empty line, and nothing that the library has left out.
        guard let start, let expected, expected - start + 2 == bytes else { return .refused(Self.unsound) }
        return rules.conclude(bytes: bytes)
    }

    private mutating func take(
        _ name: UnsafePointer<CChar>, _ nameLength: Int, _ value: UnsafePointer<CChar>?, _ valueLength: Int
    ) {
        let nameBytes = UnsafeRawBufferPointer(start: name, count: nameLength).assumingMemoryBound(to: UInt8.self)
        let valueBytes = UnsafeRawBufferPointer(start: value, count: valueLength).assumingMemoryBound(to: UInt8.self)
        if isChecking && refusal == nil { refusal = check(nameBytes, valueBytes) }
        fields.append((Self.lowerCased(nameBytes), Self.trimmed(valueBytes)))
    }

    private mutating func check(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> HTTPRefusal? {
        guard let start = name.baseAddress, let end = value.baseAddress, let expected,
            start == UnsafeRawPointer(expected).assumingMemoryBound(to: UInt8.self)
        else { return Self.unsound }
        // Between name and value stand the colon, a zero now, and white space.
        let gap = end - start - name.count
        guard gap >= 1, (start + name.count)[0] == 0,
            (1..<gap).allSatisfy({ start[name.count + $0] == 0x20 || start[name.count + $0] == 0x09 })
        else { return Self.unsound }
        self.expected = UnsafeRawPointer(end + value.count + 2).assumingMemoryBound(to: CChar.self)
        return rules.take(name: name, value: value)
    }

    private static let unsound = HTTPRefusal.malformed(
        "a line of the head is continued, does not end with CR and LF, or has a zero byte")

    private static func lowerCased(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { text in
            for index in 0..<bytes.count {
                let byte = bytes[index]
                text[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
            }
            return bytes.count
        }
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self)
    }

    private static func length(_ text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}
