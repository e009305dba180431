import Crypto
import ProviderKit
import Provisioning
import SecretMemory

/// Reads PassKit's certificates and puts them in order: leaf, then the intermediate that issued it.
///
/// Order is told by issuer, subject and key ids. Signatures and trust are Apple's business and are not verified.
struct CertificateChain {
    let pointer: String

    /// The two certificates as DER, or nil with the faults noted.
    mutating func read(_ texts: [SecretText], at now: Timestamp, notes: inout HandshakeNotes) -> [[UInt8]]? {
        guard (1...4).contains(texts.count) else {
            notes.refuse(
                pointer,
                texts.isEmpty
                    ? "is empty; send the leaf and the intermediate"
                    : "holds more certificates than PassKit gives; send the leaf and the intermediate")
            return nil
        }
        let faultsBefore = notes.faults.count
        let certificates = texts.indices.compactMap { index in
            certificate(texts[index], at: "\(pointer)/\(index)", notes: &notes)
        }
        guard notes.faults.count == faultsBefore else { return nil }
        guard let chain = order(certificates, notes: &notes) else { return nil }
        for certificate in chain where certificate.notAfter < now {
            let index = certificates.firstIndex { $0.der == certificate.der } ?? 0
            notes.warn("\(pointer)/\(index)", "certificate_expired")
        }
        return chain.map(\.der)
    }

    private func certificate(_ text: SecretText, at pointer: String, notes: inout HandshakeNotes) -> Certificate? {
        if EncodedBytes.isHexAlone(text.bytes) {
            notes.refuse(pointer, "is hex; certificates are base64 of DER, whatever the declared encoding")
            return nil
        }
        do throws(CertificateText.Refusal) {
            let (der, repairs) = try CertificateText.der(of: text.bytes)
            for repair in repairs { notes.repair(pointer, repair) }
            do throws(CryptographyFailure) {
                return try Certificate(der: der)
            } catch {
                notes.refuse(pointer, "is base64, but not of one X.509 certificate in DER")
                return nil
            }
        } catch {
            notes.refuse(pointer, error.detail)
            return nil
        }
    }

    private func order(_ certificates: [Certificate], notes: inout HandshakeNotes) -> [Certificate]? {
        let isRepeated = certificates.indices.contains { certificates[..<$0].contains(certificates[$0]) }
        if isRepeated {
            notes.refuse(pointer, "holds the same certificate twice; send the leaf and the intermediate")
            return nil
        }
        let roots = certificates.filter(\.isSelfIssued)
        let others = certificates.filter { !$0.isSelfIssued }
        // Of two, the intermediate may well have issued itself; beside a leaf and an intermediate, that is a root.
        let (pair, dropped) = others.count == 2 ? (others, roots) : (certificates, [])
        guard pair.count == 2 else {
            notes.refuse(
                pointer,
                pair.count == 1
                    ? "holds one certificate; the leaf and the intermediate are needed"
                    : "holds certificates beyond the leaf, the intermediate and the root")
            return nil
        }
        guard let chain = [pair, pair.reversed()].first(where: { $0[1].issued($0[0]) }) else {
            notes.refuse(pointer, "holds certificates of which neither issued the other")
            return nil
        }
        if !dropped.isEmpty { notes.warn(pointer, "root_appended") }
        if certificates != chain + dropped { notes.repair(pointer, "certificates_reordered") }
        return chain
    }
}
