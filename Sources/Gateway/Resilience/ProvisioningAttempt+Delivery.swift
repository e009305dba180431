import Storage

extension ProvisioningAttempt {
    /// The attempt's answer, as the ledger knows it while it is written.
    var delivery: DeliveryLedger.Delivery {
        DeliveryLedger.Delivery(
            id: record.id, card: record.card, provider: record.provider, idempotencyKey: idempotency?.key)
    }
}
