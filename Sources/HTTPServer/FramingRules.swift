/// Which header fields have only one reading: fed field by field, then asked for the conclusion.
///
/// Values come without the white space before them but with any behind: nothing that delimits a body may have some.
struct FramingRules {
    /// A head may have so many fields, query members and cookies together; the library keeps a record of each.
    static let recordLimit = 128

    var isVersion11 = true
    var records = 0
    private var contentLength: UInt64?
    private var isChunked = false
    private var hosts = 0
    private var expectsContinue = false

    /// Takes one field; what is wrong with it, if anything.
    mutating func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> HTTPRefusal? {
        records += 1
        if records > Self.recordLimit { return .headersTooLarge }
        if name.isEmpty || !name.allSatisfy(Self.isTokenByte) {
            return .malformed("a field name is empty or has a character that no name may have")
        }
        if !value.allSatisfy(Self.isValueByte) {
            return .malformed("a field value has a control character")
        }
        switch name.count {
        case 4 where Self.equal(name, "host"):
            hosts += 1
            if hosts > 1 { return .malformed("there is more than one Host") }
        case 6 where Self.equal(name, "expect"):
            expectsContinue = Self.equal(value, "100-continue")
        case 6 where Self.equal(name, "cookie"):
            records += value.count { $0 == 0x3b }
        case 14 where Self.equal(name, "content-length"):
            return takeLength(value)
        case 17 where Self.equal(name, "transfer-encoding"):
            if isChunked { return .malformed("there is more than one Transfer-Encoding") }
            if !Self.equal(value, "chunked") { return .malformed("the transfer coding is not known") }
            isChunked = true
        default: break
        }
        return nil
    }

    /// What the fields say together; `bytes` is the length of the head.
    func conclude(bytes: Int) -> HeadReading {
        if records > Self.recordLimit { return .refused(.headersTooLarge) }
        if isVersion11 && hosts == 0 { return .refused(.malformed("there is no Host")) }
        if isChunked && contentLength != nil {
            return .refused(.malformed("there is both a Content-Length and a Transfer-Encoding"))
        }
        if isChunked && !isVersion11 {
            return .refused(.malformed("HTTP/1.0 knows no transfer coding"))
        }
        let body: RequestHead.Body =
            isChunked ? .chunked : contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
        return .complete(
            RequestHead(bytes: bytes, body: body, expectsContinue: expectsContinue && isVersion11 && body != .none))
    }

    private mutating func takeLength(_ value: UnsafeBufferPointer<UInt8>) -> HTTPRefusal? {
        if contentLength != nil { return .malformed("there is more than one Content-Length") }
        guard (1...18).contains(value.count) else { return .malformed("the Content-Length is no length") }
        var length: UInt64 = 0
        for digit in value {
            guard (0x30...0x39).contains(digit) else { return .malformed("the Content-Length is no length") }
            length = length * 10 + UInt64(digit - 0x30)
        }
        contentLength = length
        return nil
    }

    /// Whether a method or a field name may have the byte.
    @inline(__always)
    static func isTokenByte(_ byte: UInt8) -> Bool {
        // Bits of ! # $ % & ' * + - . 0-9, and of A-Z ^ _ ` a-z | ~.
        let low: UInt64 = 0x03ff_6cfa_0000_0000
        let high: UInt64 = 0x57ff_ffff_c7ff_fffe
        return byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
    }

    /// Whether a field value may have the byte: no control character but the tab.
    @inline(__always)
    static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f || byte == 0x09 }

    /// Whether the bytes spell the text, which is in lower case, in any case.
    static func equal(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count {
            let byte = bytes[index]
            let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
            if lower != text.utf8Start[index] { return false }
        }
        return true
    }
}
