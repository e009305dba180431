import Crypto
import ProviderKit
import Provisioning
import SecretMemory
import Storage

/// Which connection and handoff will serve a card's next attempt in a wallet: sealed, and good for 15 minutes.
struct Plan: Sendable, Equatable {
    static let lifetimeMilliseconds: Int64 = 15 * 60 * 1000

    var card: CardKey
    var wallet: Wallet
    var connection: String
    var providerCardID: String
    var handoff: HandoffType
    /// The live migration that was in force when it was made: what it promises of the migration's sides ends with it.
    var migration: String?
    var issuedAt: Timestamp

    /// The plan as text that only this gateway can make.
    func sealed(with keys: KeyRing) throws(CryptographyFailure) -> String {
        let fields = [
            card.program, card.id, wallet.rawValue, connection, providerCardID, handoff.rawValue,
            String(issuedAt.milliseconds), migration ?? "",
        ]
        return try keys.seal(
            SecretBytes(utf8: fields.joined(separator: "\n")), purpose: Self.purpose, associatedData: [])
    }

    /// The plan that a text holds; nil where this gateway did not make it.
    init?(opening text: String, with keys: KeyRing) {
        guard let opened = try? keys.open(text, purpose: Self.purpose, associatedData: []),
            let fields = opened.revealText()?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init),
            fields.count == 8, let wallet = Wallet(rawValue: fields[2]), let handoff = HandoffType(rawValue: fields[5]),
            let issuedAt = Int64(fields[6])
        else { return nil }
        self.init(
            card: CardKey(program: fields[0], id: fields[1]), wallet: wallet, connection: fields[3],
            providerCardID: fields[4], handoff: handoff, migration: fields[7].isEmpty ? nil : fields[7],
            issuedAt: Timestamp(milliseconds: issuedAt))
    }

    init(
        card: CardKey, wallet: Wallet, connection: String, providerCardID: String, handoff: HandoffType,
        migration: String?, issuedAt: Timestamp
    ) {
        self.card = card
        self.wallet = wallet
        self.connection = connection
        self.providerCardID = providerCardID
        self.handoff = handoff
        self.migration = migration
        self.issuedAt = issuedAt
    }

    private static let purpose = "plan"
}
