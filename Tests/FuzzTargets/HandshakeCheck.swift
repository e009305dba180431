import Gateway
import JSON
import ProviderKit
import Provisioning
import SecretMemory

/// What PassKit gives, as a caller sends it: a JSON object of `certificates`, `nonce`, `nonce_signature` and `encoding`.
struct HandshakeCheck: Sendable {
    private let now = Timestamp(seconds: 1_796_040_000)

    func check(_ input: [UInt8]) async throws(BrokenPromise) {
        guard let sent = try? JSONParser().parse(SecretBytes(input)).root else { return }
        let texts = ProvisionCommand.ApplePay(
            certificates: sent["certificates"]?.elements?.compactMap(\.secretText),
            nonce: sent["nonce"]?.secretText, nonceSignature: sent["nonce_signature"]?.secretText,
            encoding: sent["encoding"]?.string)
        let handshake: ApplePayHandshake
        do throws(Problem) { handshake = try read(texts) } catch {
            return try Self.check(error, of: texts)
        }
        try checkAgain(handshake)
    }

    private func read(_ texts: ProvisionCommand.ApplePay) throws(Problem) -> ApplePayHandshake {
        var reader = HandshakeReader()
        return try reader.read(texts, at: now)
    }

    /// What was read means the same when it is sent in the plainest form.
    private func checkAgain(_ handshake: ApplePayHandshake) throws(BrokenPromise) {
        try promise(handshake.certificates.count == 2, "a chain has a leaf and an intermediate")
        try promise(!handshake.nonce.isEmpty && !handshake.nonceSignature.isEmpty, "an empty text became bytes")
        for isHex in [false, true] {
            let form: (SecretBytes) -> SecretBytes = { isHex ? Hexadecimal.encode($0) : Base64.encode($0) }
            let texts = ProvisionCommand.ApplePay(
                certificates: handshake.certificates.map { SecretText(Base64.encode($0)) },
                nonce: SecretText(utf8: form(handshake.nonce)),
                nonceSignature: SecretText(utf8: form(handshake.nonceSignature)), encoding: isHex ? "hex" : "base64")
            let again: ApplePayHandshake
            do throws(Problem) { again = try read(texts) } catch {
                throw BrokenPromise("what was read is refused in its plainest form: \(error.code.rawValue)")
            }
            try promise(
                again.certificates == handshake.certificates && again.nonce == handshake.nonce
                    && again.nonceSignature == handshake.nonceSignature,
                "what was read means something else in its plainest form")
        }
    }

    private static func check(_ refusal: Problem, of texts: ProvisionCommand.ApplePay) throws(BrokenPromise) {
        let codes: [ProblemCode] = [.invalidRequest, .handshakeInvalid, .ambiguousEncoding]
        try promise(codes.contains(refusal.code), "refused as \(refusal.code.rawValue)")
        try promise(!refusal.errors.isEmpty, "a refusal that names no member")
        let sent = (texts.certificates ?? []) + [texts.nonce, texts.nonceSignature].compactMap(\.self)
        for fault in refusal.errors {
            try promise(fault.pointer.hasPrefix("/apple_pay/"), "a fault at \(fault.pointer)")
            for text in sent {
                let echo = Echo.find(of: text.bytes.reveal(), in: fault.detail)
                try promise(echo == nil, "a refusal quotes \(echo ?? "")")
            }
        }
    }
}
