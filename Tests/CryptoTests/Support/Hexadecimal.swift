import SecretMemory

/// The bytes of hex digits in a test; spaces are left out.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

/// The bytes of hex digits as a secret.
func secret(_ hexadecimal: String) -> SecretBytes { SecretBytes(bytes(hexadecimal)) }
