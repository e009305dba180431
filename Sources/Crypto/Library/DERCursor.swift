import COpenSSL

/// Steps through the elements of one DER value, with OpenSSL reading tags and lengths.
///
/// The pointers stand in memory that the caller holds on to.
struct DERCursor {
    struct Element {
        let tag: Int32
        let isUniversal: Bool
        let isConstructed: Bool
        let contents: UnsafeBufferPointer<UInt8>
        /// Tag, length and contents.
        let whole: UnsafeBufferPointer<UInt8>

        /// In DER sequences and sets are made of elements, and nothing else is.
        func isUniversal(_ tag: Int32) -> Bool {
            isUniversal && self.tag == tag && isConstructed == (tag == V_ASN1_SEQUENCE || tag == V_ASN1_SET)
        }

        func isContext(_ tag: Int32) -> Bool { !isUniversal && self.tag == tag }

        var cursor: DERCursor { DERCursor(contents) }
    }

    private var rest: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element; nil at the end, or where it is damaged or longer than what is left.
    mutating func next() -> Element? {
        guard let base = rest.baseAddress, !rest.isEmpty else { return nil }
        var position: UnsafePointer<UInt8>? = base
        var length = 0
        var tag: Int32 = 0
        var tagClass: Int32 = 0
        let flags = ASN1_get_object(&position, &length, &tag, &tagClass, rest.count)
        // 0x80: an error; 0x01: a length without an end, which DER does not have.
        guard flags & 0x81 == 0, let start = position, length >= 0 else {
            ERR_clear_error()
            return nil
        }
        let header = start - base
        guard header + length <= rest.count,
            tagClass == V_ASN1_UNIVERSAL || tagClass == V_ASN1_CONTEXT_SPECIFIC
        else { return nil }
        let element = Element(
            tag: tag, isUniversal: tagClass == V_ASN1_UNIVERSAL, isConstructed: flags & V_ASN1_CONSTRUCTED != 0,
            contents: UnsafeBufferPointer(start: start, count: length),
            whole: UnsafeBufferPointer(start: base, count: header + length))
        rest = UnsafeBufferPointer(rebasing: rest[(header + length)...])
        return element
    }

    /// The next element where it has that universal tag. Otherwise nil, and the cursor stays.
    mutating func next(_ tag: Int32) -> Element? {
        var ahead = self
        guard let element = ahead.next(), element.isUniversal(tag) else { return nil }
        self = ahead
        return element
    }

    /// The next element where it has that context-specific tag. Otherwise nil, and the cursor stays.
    mutating func next(context tag: Int32) -> Element? {
        var ahead = self
        guard let element = ahead.next(), element.isContext(tag) else { return nil }
        self = ahead
        return element
    }
}
