import COpenSSL

/// Owns one key of OpenSSL's; its private part is wiped by OpenSSL when the last reference goes.
///
/// Safe to share: OpenSSL counts references atomically, and a key that is made is not changed any more.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over the reference; nil for none.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    var isRSA: Bool { EVP_PKEY_get_base_id(pointer) == EVP_PKEY_RSA }

    var isEC: Bool { EVP_PKEY_get_base_id(pointer) == EVP_PKEY_EC }

    var isP256: Bool { isEC && curve == "prime256v1" }

    /// OpenSSL's name of the curve, where there is one.
    var curve: String? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) > 0 else { return nil }
        return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What the key is, for an error's text.
    var kind: String {
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_RSA: "an RSA key of \(bits) bits"
        case EVP_PKEY_EC: "an EC key on \(curve == "prime256v1" ? "P-256" : curve ?? "a curve without a name")"
        case EVP_PKEY_RSA_PSS: "an RSA-PSS key"
        case EVP_PKEY_ED25519: "an Ed25519 key"
        default: "a key of another kind"
        }
    }
}
