public import SecretMemory

/// Writes JSON into wiped memory, members in the order they are given. Slashes are not escaped.
///
/// ```swift
/// var json = JSONWriter()
/// json.object { json in
///     json.member("channel", "apple_pay_in_app")
///     json.member("nonce", base64: handshake.nonce)
/// }
/// let body = json.finish()
/// ```
public struct JSONWriter: ~Copyable {
    private var builder: SecretBuilder
    private var needsComma = false

    /// An empty text with room for `capacity` bytes.
    public init(capacity: Int = 1024) { builder = SecretBuilder(capacity: capacity) }

    /// Writes an object as the next value.
    public mutating func object(_ body: (inout JSONWriter) -> Void) { nest(0x7b, 0x7d, body) }

    /// Writes an array as the next value.
    public mutating func array(_ body: (inout JSONWriter) -> Void) { nest(0x5b, 0x5d, body) }

    /// Writes a member whose value is an object.
    public mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// Writes a member whose value is an array.
    public mutating func member(_ name: String, array body: (inout JSONWriter) -> Void) {
        key(name)
        array(body)
    }

    /// Writes a text member; nil writes `null`.
    public mutating func member(_ name: String, _ value: String?) {
        key(name)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a secret text member; nil writes `null`.
    public mutating func member(_ name: String, _ value: SecretText?) {
        key(name)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a whole number member; nil writes `null`.
    public mutating func member(_ name: String, _ value: Int?) {
        key(name)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a truth value member; nil writes `null`.
    public mutating func member(_ name: String, _ value: Bool?) {
        key(name)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a member with the standard base64 of the bytes, on one line.
    public mutating func member(_ name: String, base64 value: SecretBytes) {
        key(name)
        self.value(base64: value)
    }

    /// Writes a member whose value is a JSON text already, byte for byte.
    public mutating func member(_ name: String, verbatim json: SecretBytes) {
        key(name)
        separate()
        builder.append(json)
    }

    /// Writes a member name; its value must follow.
    public mutating func key(_ name: String) {
        value(name)
        builder.append(0x3a)
        needsComma = false
    }

    /// Writes a member name that stands in UTF-8; its value must follow.
    mutating func key(utf8 name: Span<UInt8>) {
        value(utf8: name)
        builder.append(0x3a)
        needsComma = false
    }

    /// Writes a text that stands in UTF-8.
    mutating func value(utf8 text: Span<UInt8>) {
        separate()
        quote(text)
    }

    /// Writes a text.
    public mutating func value(_ text: String) {
        separate()
        quote(text.utf8.span)
    }

    /// Writes a secret text.
    public mutating func value(_ text: SecretText) {
        separate()
        text.bytes.withSpan { quote($0) }
    }

    /// Writes a whole number.
    public mutating func value(_ number: Int) {
        separate()
        builder.append(String(number))
    }

    /// Writes a whole number that is not negative.
    mutating func value(_ number: UInt64) {
        separate()
        builder.append(String(number))
    }

    /// Writes a number in its shortest form; one that JSON cannot hold is written as `null`.
    public mutating func value(_ number: Double) {
        separate()
        builder.append(number.isFinite ? "\(number)" : "null")
    }

    /// Writes a truth value.
    public mutating func value(_ truth: Bool) {
        separate()
        builder.append(truth ? "true" : "false")
    }

    /// Writes the standard base64 of the bytes, on one line.
    public mutating func value(base64 bytes: SecretBytes) {
        separate()
        builder.append(0x22)
        bytes.withSpan { Base64.encode($0, into: &builder) }
        builder.append(0x22)
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        builder.append("null")
    }

    /// The text so far.
    public consuming func finish() -> SecretBytes { builder.finish() }

    /// The text so far, in memory that is not wiped: for JSON that holds no secret.
    public consuming func finishText() -> String { String(decoding: finish().reveal(), as: UTF8.self) }

    private mutating func separate() {
        if needsComma { builder.append(0x2c) }
        needsComma = true
    }

    private mutating func nest(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        separate()
        builder.append(open)
        needsComma = false
        body(&self)
        builder.append(close)
        needsComma = true
    }

    private mutating func quote(_ utf8: Span<UInt8>) {
        builder.append(0x22)
        var start = 0
        for index in 0..<utf8.count where utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5c {
            builder.append(utf8.extracting(start..<index))
            escape(utf8[index])
            start = index + 1
        }
        builder.append(utf8.extracting(start..<utf8.count))
        builder.append(0x22)
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: builder.append([0x5c, 0x22])
        case 0x5c: builder.append([0x5c, 0x5c])
        case 0x0a: builder.append([0x5c, 0x6e])
        case 0x0d: builder.append([0x5c, 0x72])
        case 0x09: builder.append([0x5c, 0x74])
        default:
            let digits = Array("0123456789abcdef".utf8)
            builder.append([0x5c, 0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
    }
}
