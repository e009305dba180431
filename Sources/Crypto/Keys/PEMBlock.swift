import SecretMemory

/// One block of PEM text (RFC 7468): what its markers say, and the bytes between them.
struct PEMBlock {
    let label: String
    let der: SecretBytes
}
