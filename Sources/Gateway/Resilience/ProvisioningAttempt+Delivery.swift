import Storage

extension IdempotencyKey {
    /// The key's name in the ledger of answers that are being written.
    var ledgerKey: String { "\(program)\n\(route)\n\(key)" }
}

extension ProvisioningAttempt {
    /// The attempt's names in the ledger: its record's id, and its idempotency key where the caller gave one.
    var ledgerKeys: [String] { [record.id] + (idempotency.map { [$0.key.ledgerKey] } ?? []) }
}
