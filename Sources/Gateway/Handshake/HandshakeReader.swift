package import Provisioning
import SecretMemory

/// Turns what a caller sent of a handshake into raw bytes, before anything is sent or spent.
package struct HandshakeReader {
    /// Where PassKit's members stand in the request.
    private static let applePay = "/apple_pay"

    private(set) var notes = HandshakeNotes()

    /// A reader that has found nothing yet.
    package init() {}

    /// Reads PassKit's handshake.
    ///
    /// - Throws: `invalid_request` where members are missing; `handshake_invalid` or `ambiguous_encoding`, with every
    ///   member at fault.
    package mutating func read(_ texts: ProvisionCommand.ApplePay, at now: Timestamp) throws(Problem)
        -> ApplePayHandshake
    {
        guard let certificates = texts.certificates, let nonce = texts.nonce, let signature = texts.nonceSignature
        else {
            let members = [
                ("certificates", texts.certificates == nil), ("nonce", texts.nonce == nil),
                ("nonce_signature", texts.nonceSignature == nil),
            ]
            throw .missing(members.filter(\.1).map { "\(Self.applePay)/\($0.0)" })
        }
        return try read(certificates, nonce, signature, encoding: texts.encoding, at: now)
    }

    private mutating func read(
        _ certificates: [SecretText], _ nonce: SecretText, _ signature: SecretText, encoding: String?, at now: Timestamp
    ) throws(Problem) -> ApplePayHandshake {
        let nonce = readBytes(nonce, at: "\(Self.applePay)/nonce", encoding: encoding, limit: 256)
        let signature = readBytes(
            signature, at: "\(Self.applePay)/nonce_signature", encoding: encoding, limit: 1024)
        var chain = CertificateChain(pointer: "\(Self.applePay)/certificates")
        let certificates = chain.read(certificates, at: now, notes: &notes)
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
