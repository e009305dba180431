import ProviderKit
import Provisioning

/// Failures of the platform's vault. Thales itself is never called.
///
/// A vault is the platform's own and may say anything in a failure's body, so it is read by its status alone, and no word
/// of it is passed on. Its missing card is the processor's missing card.
extension UpstreamFailureTable {
    static let cardVault = UpstreamFailureTable(
        rows: [Row(404, nil, .providerCardNotFound), Row(410, nil, .providerCardNotFound)],
        requestIDHeaders: ["x-request-id", "request-id"]
    ) { _, _ in UpstreamFault() }
}
