import COpenSSL

/// The two forms of an ECDSA signature on P-256: DER, and r‖s in 64 bytes.
enum ECDSASignature {
    /// r‖s of a signature in DER; nil where it is none.
    static func fixed(der: [UInt8]) -> [UInt8]? {
        let decoded = der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            let signature = d2i_ECDSA_SIG(nil, &position, buffer.count)
            return (signature, position == buffer.baseAddress.map { $0 + buffer.count })
        }
        guard let signature = decoded.0 else {
            ERR_clear_error()
            return nil
        }
        defer { ECDSA_SIG_free(signature) }
        var output = [UInt8](repeating: 0, count: 64)
        let sound = output.withUnsafeMutableBufferPointer { buffer in
            BN_bn2binpad(ECDSA_SIG_get0_r(signature), buffer.baseAddress, 32) == 32
                && BN_bn2binpad(ECDSA_SIG_get0_s(signature), buffer.baseAddress.map { $0 + 32 }, 32) == 32
        }
        return sound && decoded.1 ? output : nil
    }

    /// DER of a signature r‖s; nil unless it has 64 bytes.
    static func der(fixed: [UInt8]) -> [UInt8]? {
        guard fixed.count == 64, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let r = fixed.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, 32, nil) }
        let s = fixed.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress.map { $0 + 32 }, 32, nil) }
        guard ECDSA_SIG_set0(signature, r, s) > 0 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        return encoded { i2d_ECDSA_SIG(signature, $0) }
    }
}

/// The DER that an `i2d` function of OpenSSL writes; nil where it fails.
func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    var output: UnsafeMutablePointer<UInt8>?
    let count = write(&output)
    defer { passgate_openssl_free(output) }
    guard count > 0, let output else {
        ERR_clear_error()
        return nil
    }
    return Array(UnsafeBufferPointer(start: output, count: Int(count)))
}
