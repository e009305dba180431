import Crypto
import ProviderKit
public import Provisioning
import Storage

extension Gateway {
    static var inboundPurpose: String { "inbound" }

    /// Takes a processor's webhook in: verifies it on its raw bytes, keeps it durably, and returns. It is read after.
    ///
    /// An event that was taken in before is taken for what it is, and not kept again.
    ///
    /// - Throws: `connection_not_found`; `signature_invalid` where the signature does not fit, or where the connection has
    ///   no secret, or its provider sends nothing; `overloaded` where it cannot be kept.
    public func receive(_ delivery: WebhookDelivery, at name: String) async throws(Problem) {
        guard let connection = directory.connections[name] else { throw Problem(.connectionNotFound) }
        let receipt: WebhookReceipt
        do throws(WebhookRefusal) {
            guard let source = connection.provider as? any WebhookSource else { throw .noSecret }
            receipt = try source.verify(delivery)
        } catch {
            metrics.countInbound(connection: name, outcome: error.rawValue)
            throw Problem(.signatureInvalid, detail: error.sentence)
        }
        if receipt.use == .ignore {
            metrics.countInbound(connection: name, outcome: "ignored")
            return
        }
        let isNew: Bool
        do throws(StoreFailure) {
            isNew = try await store.receive(
                InboundDelivery(
                    connection: name, key: receipt.key, word: receipt.word, receivedAt: delivery.receivedAt,
                    sealedBody: receipt.use == .read ? try seal(delivery, of: name, key: receipt.key) : nil))
        } catch {
            throw Problem(store: error)
        }
        metrics.countInbound(connection: name, outcome: isNew ? "taken" : "repeated")
        if isNew, receipt.use == .read { traffic.inbound.raise() }
    }

    private func seal(_ delivery: WebhookDelivery, of name: String, key: String) throws(StoreFailure) -> String {
        do throws(CryptographyFailure) {
            return try keys.seal(
                delivery.body, purpose: Self.inboundPurpose, associatedData: Array("\(name)\n\(key)".utf8))
        } catch {
            throw .broken("A delivery could not be sealed.")
        }
    }
}

extension WebhookRefusal {
    /// What the sender is told. It says nothing of the secrets, nor of the bytes.
    fileprivate var sentence: String {
        switch self {
        case .noSecret: "The connection takes no deliveries: it has no webhook secret."
        case .malformed: "The signature's header fields are missing, doubled, or not of their form."
        case .outsideTolerance: "The delivery's timestamp is too far from the gateway's clock."
        case .noMatch: "The signature does not fit the bytes."
        }
    }
}
