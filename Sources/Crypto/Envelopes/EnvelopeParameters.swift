import COpenSSL
import ProviderKit

/// The algorithms of a CMS EnvelopedData with one recipient, as OpenSSL's numbers for them.
struct EnvelopeParameters: Equatable {
    var contentCipher: Int32
    var keyTransport: Int32
    var oaepHash: Int32?
    var oaepMask: Int32?
    var oaepMaskHash: Int32?

    /// What an envelope must have.
    init(_ keyTransport: KeyTransport) {
        contentCipher = NID_aes_256_cbc
        switch keyTransport {
        case .oaepSHA256:
            self.keyTransport = NID_rsaesOaep
            oaepHash = NID_sha256
            oaepMask = NID_mgf1
            oaepMaskHash = NID_sha256
        case .pkcs1v15: self.keyTransport = NID_rsaEncryption
        }
    }

    /// What a made envelope has; nil where it is none, or for another number of recipients.
    init?(der: [UInt8]) {
        let cms = der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            let cms = d2i_CMS_ContentInfo(nil, &position, buffer.count)
            guard position == buffer.baseAddress.map({ $0 + buffer.count }) else {
                CMS_ContentInfo_free(cms)
                return nil as OpaquePointer?
            }
            return cms
        }
        defer { CMS_ContentInfo_free(cms) }
        guard let cms, OBJ_obj2nid(CMS_get0_type(cms)) == NID_pkcs7_enveloped, passgate_recipient_count(cms) == 1,
            let cipher = der.withUnsafeBufferPointer({ Self.contentCipher($0) })
        else { return nil }
        var algorithm: UnsafeMutablePointer<X509_ALGOR>?
        let recipient = passgate_recipient(cms)
        guard CMS_RecipientInfo_type(recipient) == CMS_RECIPINFO_TRANS,
            CMS_RecipientInfo_ktri_get0_algs(recipient, nil, nil, &algorithm) > 0, let transport = algorithm
        else { return nil }
        contentCipher = cipher
        keyTransport = OBJ_obj2nid(transport.pointee.algorithm)
        if keyTransport == NID_rsaesOaep { readOAEP(transport) }
    }

    private mutating func readOAEP(_ transport: UnsafePointer<X509_ALGOR>) {
        guard
            let unpacked = ASN1_TYPE_unpack_sequence(RSA_OAEP_PARAMS_it(), transport.pointee.parameter)
        else { return }
        let parameters = unpacked.assumingMemoryBound(to: RSA_OAEP_PARAMS.self)
        defer { RSA_OAEP_PARAMS_free(parameters) }
        // Left out, both would mean SHA-1.
        if let hash = parameters.pointee.hashFunc { oaepHash = OBJ_obj2nid(hash.pointee.algorithm) }
        guard let mask = parameters.pointee.maskGenFunc else { return }
        oaepMask = OBJ_obj2nid(mask.pointee.algorithm)
        guard let inner = ASN1_TYPE_unpack_sequence(X509_ALGOR_it(), mask.pointee.parameter) else { return }
        let hash = inner.assumingMemoryBound(to: X509_ALGOR.self)
        oaepMaskHash = OBJ_obj2nid(hash.pointee.algorithm)
        X509_ALGOR_free(hash)
    }

    /// OpenSSL has no call that tells the cipher of an envelope, so it is read where RFC 5652 (6.1) puts it.
    private static func contentCipher(_ der: UnsafeBufferPointer<UInt8>) -> Int32? {
        var outer = DERCursor(der)
        var contentInfo = outer.next(V_ASN1_SEQUENCE)?.cursor
        guard contentInfo?.next(V_ASN1_OBJECT) != nil, var wrapped = contentInfo?.next(context: 0)?.cursor,
            var enveloped = wrapped.next(V_ASN1_SEQUENCE)?.cursor, enveloped.next(V_ASN1_INTEGER) != nil,
            enveloped.next(V_ASN1_SET) != nil, var content = enveloped.next(V_ASN1_SEQUENCE)?.cursor,
            content.next(V_ASN1_OBJECT) != nil, let algorithm = content.next(V_ASN1_SEQUENCE)
        else { return nil }
        var position = algorithm.whole.baseAddress
        guard let decoded = d2i_X509_ALGOR(nil, &position, algorithm.whole.count) else { return nil }
        defer { X509_ALGOR_free(decoded) }
        return OBJ_obj2nid(decoded.pointee.algorithm)
    }
}
