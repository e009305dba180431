import ProviderKit
import Provisioning

/// Acme's errors: `{"error": "word", "message": "…"}`.
extension UpstreamFailureTable {
    /// What each word means to us. What has no row goes by its status.
    static let acme = UpstreamFailureTable(
        rows: [
            Row(400, "handshake_refused", .handshakeRejected),
            Row(403, "wallets_off", .programNotEnabled),
            Row(404, "no_such_card", .providerCardNotFound),
            Row(409, "in_wallet_already", .alreadyProvisioned),
            Row(422, "wrong_device", .deviceIneligible),
        ]
    ) { body, _ in UpstreamFault(code: body["error"]?.string) }
}
