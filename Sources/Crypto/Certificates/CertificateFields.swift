import COpenSSL
import Provisioning

/// The fields of a certificate (RFC 5280, section 4.1) that ``Certificate`` keeps.
struct CertificateFields {
    var issuer: [UInt8] = []
    var subject: [UInt8] = []
    var authorityKeyID: [UInt8]?
    var subjectKeyID: [UInt8]?
    var notBefore = Timestamp(milliseconds: 0)
    var notAfter = Timestamp(milliseconds: 0)
    var publicKeyInfo: [UInt8] = []

    /// Nil where the bytes are not exactly one certificate.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var outer = DERCursor(bytes)
        guard let certificate = outer.next(V_ASN1_SEQUENCE), outer.isAtEnd else { return nil }
        var parts = certificate.cursor
        guard let signed = parts.next(V_ASN1_SEQUENCE), parts.next(V_ASN1_SEQUENCE) != nil,
            parts.next(V_ASN1_BIT_STRING) != nil, parts.isAtEnd
        else { return nil }

        var fields = signed.cursor
        _ = fields.next(context: 0)  // version
        guard fields.next(V_ASN1_INTEGER) != nil,  // serial number
            fields.next(V_ASN1_SEQUENCE) != nil,  // signature algorithm
            let issuer = fields.next(V_ASN1_SEQUENCE), let validity = fields.next(V_ASN1_SEQUENCE),
            let subject = fields.next(V_ASN1_SEQUENCE), let key = fields.next(V_ASN1_SEQUENCE),
            Self.isPublicKey(key)
        else { return nil }
        _ = fields.next(context: 1)  // unique ids, long out of use
        _ = fields.next(context: 2)
        let extensions = fields.next(context: 3)
        guard fields.isAtEnd else { return nil }

        self.issuer = Array(issuer.whole)
        self.subject = Array(subject.whole)
        publicKeyInfo = Array(key.whole)
        guard read(validity: validity), extensions.map({ read(extensions: $0) }) ?? true else { return nil }
    }

    private static func isPublicKey(_ element: DERCursor.Element) -> Bool {
        var parts = element.cursor
        guard let algorithm = parts.next(V_ASN1_SEQUENCE), parts.next(V_ASN1_BIT_STRING) != nil, parts.isAtEnd else {
            return false
        }
        var words = algorithm.cursor
        return words.next(V_ASN1_OBJECT) != nil
    }

    private mutating func read(validity: DERCursor.Element) -> Bool {
        var times = validity.cursor
        guard let first = times.next(), let last = times.next(), times.isAtEnd,
            let notBefore = Self.time(first), let notAfter = Self.time(last)
        else { return false }
        self.notBefore = notBefore
        self.notAfter = notAfter
        return true
    }

    private static func time(_ element: DERCursor.Element) -> Timestamp? {
        guard element.isUniversal(V_ASN1_UTCTIME) || element.isUniversal(V_ASN1_GENERALIZEDTIME) else { return nil }
        let time = ASN1_STRING_type_new(element.tag)
        defer { ASN1_STRING_free(time) }
        var parts = tm()
        guard ASN1_STRING_set(time, element.contents.baseAddress, Int32(element.contents.count)) > 0,
            ASN1_TIME_to_tm(time, &parts) > 0
        else {
            ERR_clear_error()
            return nil
        }
        return Timestamp(seconds: Int64(timegm(&parts)))
    }

    private mutating func read(extensions: DERCursor.Element) -> Bool {
        var outer = extensions.cursor
        guard let list = outer.next(V_ASN1_SEQUENCE), outer.isAtEnd else { return false }
        var items = list.cursor
        while !items.isAtEnd {
            guard let item = items.next(V_ASN1_SEQUENCE) else { return false }
            var parts = item.cursor
            guard let name = parts.next(V_ASN1_OBJECT) else { return false }
            _ = parts.next(V_ASN1_BOOLEAN)
            guard let value = parts.next(V_ASN1_OCTET_STRING), parts.isAtEnd else { return false }
            var inner = value.cursor
            switch Array(name.contents) {
            case [0x55, 0x1d, 0x0e]:  // 2.5.29.14, subject key identifier
                guard let id = inner.next(V_ASN1_OCTET_STRING), inner.isAtEnd else { return false }
                subjectKeyID = Array(id.contents)
            case [0x55, 0x1d, 0x23]:  // 2.5.29.35, authority key identifier
                guard let sequence = inner.next(V_ASN1_SEQUENCE), inner.isAtEnd else { return false }
                var members = sequence.cursor
                authorityKeyID = members.next(context: 0).map { Array($0.contents) }
            default: break
            }
        }
        return true
    }
}
