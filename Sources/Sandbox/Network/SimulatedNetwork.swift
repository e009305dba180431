import Crypto
import JSON
import ProviderKit
public import SecretMemory

/// A card network, simulated: it makes tokens, encrypts passes to a device's leaf key, and seals opaque cards.
///
/// Its key is derived from a text in the source, so that a sandbox in one process and a device in another are of the
/// same network. It protects nothing.
public struct SimulatedNetwork: Sendable {
    /// Why the network did not do what it was asked for, by member of the handshake.
    public struct Refusal: Error, Sendable, Equatable {
        /// `certificates`, `nonce` or `nonce_signature`.
        public let member: String
        /// What is wrong with it.
        public let message: String
    }

    /// Who can read an opaque card.
    public enum OpaqueCardReader: String, Sendable {
        /// The token service provider, for a device.
        case tokenServiceProvider = "device"
        /// Google, for the cardholder's account.
        case googleAccount = "Google account"
    }

    private static let key = SecretBytes(SHA256.digest(of: Array("Passgate simulated network; no secret".utf8)))
    private static let activationLabel = "simulated-activation:"

    /// The network.
    public init() {}

    /// Checks a handshake as a processor does: two certificates of which the second issued the first, a leaf key on
    /// P-256, and the leaf's signature over the nonce.
    ///
    /// - Returns: The leaf's key as an uncompressed point.
    /// - Throws: ``Refusal``, which names the member.
    public func verify(certificates: [[UInt8]], nonce: SecretBytes, signature: SecretBytes) throws(Refusal) -> [UInt8] {
        guard certificates.count == 2 else {
            throw Refusal(member: "certificates", message: "must hold the leaf and the intermediate")
        }
        let leaf = try certificate(certificates[0], 0)
        let intermediate = try certificate(certificates[1], 1)
        guard intermediate.issued(leaf) else {
            throw Refusal(member: "certificates", message: "must hold the leaf first, then the one that issued it")
        }
        guard let key = try? leaf.publicKey(), let point = key.p256Point else {
            throw Refusal(member: "certificates.0.certificate", message: "has no key on P-256")
        }
        guard key.verifies(signature.reveal(), of: nonce) else {
            throw Refusal(member: "nonce_signature", message: "is not the leaf's signature over the nonce")
        }
        return point
    }

    private func certificate(_ der: [UInt8], _ index: Int) throws(Refusal) -> Certificate {
        do throws(CryptographyFailure) { return try Certificate(der: der) } catch {
            throw Refusal(member: "certificates.\(index).certificate", message: "is no X.509 certificate in DER")
        }
    }

    /// Encrypts a pass with the token to the leaf's key.
    ///
    /// - Throws: ``Refusal`` where the point is none.
    public func seal(_ token: SimulatedToken, to leafPoint: [UInt8], nonce: SecretBytes) throws(Refusal) -> SealedPass {
        do throws(CryptographyFailure) {
            let device = try PublicKey(p256Point: leafPoint)
            let (sealed, point) = try PassCipher.seal(token.encoded(purpose: "pass"), to: device)
            return SealedPass(
                activationData: activationData(sealed: sealed, point: point, nonce: nonce),
                encryptedPassData: SecretBytes(sealed), ephemeralPublicKey: SecretBytes(point))
        } catch {
            throw Refusal(member: "certificates", message: error.description)
        }
    }

    /// Whether the activation data is this network's for that pass and nonce.
    func accepts(_ pass: SealedPass, nonce: SecretBytes) -> Bool {
        pass.activationData
            == activationData(
                sealed: pass.encryptedPassData.reveal(), point: pass.ephemeralPublicKey.reveal(), nonce: nonce)
    }

    private func activationData(sealed: [UInt8], point: [UInt8], nonce: SecretBytes) -> SecretBytes {
        let code = HMACSHA256.code(key: Self.key, of: [SecretBytes(sealed), SecretBytes(point), nonce])
        return SecretBytes(utf8: Self.activationLabel + Base64.encode(code, alphabet: .urlSafe, padded: false))
    }

    /// Seals a card for one reader: opaque text, as Google's SDK passes it on.
    ///
    /// - Throws: ``Refusal`` where it could not be sealed.
    public func opaqueCard(_ token: SimulatedToken, for reader: OpaqueCardReader) throws(Refusal) -> SecretText {
        do throws(CryptographyFailure) {
            let sealed = try AESGCM(key: Self.key).seal(
                token.encoded(purpose: reader.rawValue), associatedData: Array(reader.rawValue.utf8))
            return SecretText(Base64.encode(sealed, alphabet: .urlSafe, padded: false))
        } catch {
            throw Refusal(member: "card", message: error.description)
        }
    }

    /// Opens an opaque card.
    ///
    /// - Throws: ``DeviceFailure`` where it was altered, or is for another reader.
    public func open(_ card: SecretText, as reader: OpaqueCardReader) throws(DeviceFailure) -> SimulatedToken {
        guard let sealed = Base64.decode(card.bytes, alphabet: .urlSafe),
            let content = try? AESGCM(key: Self.key).open(
                sealed.reveal(), associatedData: Array(reader.rawValue.utf8)),
            let token = Self.token(content, purpose: reader.rawValue)
        else { throw DeviceFailure("the card for the \(reader.rawValue) is not as the network sealed it") }
        return token
    }

    /// The token in an opened pass or card; nil where it is something else.
    static func token(_ content: SecretBytes, purpose: String) -> SimulatedToken? {
        guard let view = try? JSONParser().parse(content).root else { return nil }
        return SimulatedToken(view, purpose: purpose)
    }
}
