import Provisioning
import SecretMemory

/// Turns what a caller sent of a handshake into raw bytes, before anything is sent or spent.
struct HandshakeReader {
    /// Where PassKit's members stand in the request.
    private static let applePay = "/apple_pay"

    private(set) var notes = HandshakeNotes()

    /// Reads PassKit's handshake.
    ///
    /// - Throws: `handshake_invalid` or `ambiguous_encoding`, with every member at fault.
    mutating func read(_ texts: ProvisionCommand.ApplePay, at now: Timestamp) throws(Problem) -> ApplePayHandshake {
        let nonce = readBytes(texts.nonce, at: "\(Self.applePay)/nonce", encoding: texts.encoding, limit: 256)
        let signature = readBytes(
            texts.nonceSignature, at: "\(Self.applePay)/nonce_signature", encoding: texts.encoding, limit: 1024)
        var chain = CertificateChain(pointer: "\(Self.applePay)/certificates")
        let certificates = chain.read(texts.certificates, at: now, notes: &notes)
        try notes.throwFaults()
        guard let nonce, let signature, let certificates else { throw Problem(.handshakeInvalid, outcome: .notSent) }
        return ApplePayHandshake(certificates: certificates, nonce: nonce, nonceSignature: signature)
    }

    private mutating func readBytes(_ text: SecretText, at pointer: String, encoding: String?, limit: Int)
        -> SecretBytes?
    {
        if encoding == nil, EncodedBytes.readsAsHex(text.bytes) {
            notes.refuse(
                pointer, "reads as hex and as base64; declare apple_pay.encoding as \"base64\" or \"hex\"",
                code: .ambiguousEncoding)
            return nil
        }
        var repairs: [EncodedBytes.Repair] = []
        do throws(EncodedBytes.Refusal) {
            let bytes =
                encoding == "hex"
                ? try EncodedBytes.hex(text.bytes, repairs: &repairs)
                : try EncodedBytes.base64(text.bytes, repairs: &repairs)
            for repair in repairs { notes.repair(pointer, repair.rawValue) }
            if bytes.count > limit { notes.refuse(pointer, "is longer than \(limit) bytes") }
            return bytes
        } catch {
            notes.refuse(pointer, error.detail)
            return nil
        }
    }
}
