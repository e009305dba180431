import Provisioning

/// Whether a processor takes a connection's credentials, as far as it can be asked.
public enum CredentialStanding: String, Sendable, CaseIterable {
    /// It does.
    case taken
    /// It does not.
    case refused
    /// Nobody can be asked, or there was no answer that says so.
    case notKnown = "not_known"

    /// How long an answer is waited for.
    private static let patience: Duration = .seconds(3)

    /// Asks, by the adapter's harmless question.
    init(of provider: any ProvisioningProvider) async {
        guard let check = provider as? any CredentialCheck, check.credentialQuestion != nil else {
            self = .notKnown
            return
        }
        do throws(ProvisioningError) {
            try await check.checkCredentials(deadline: .now + Self.patience)
            self = .taken
        } catch {
            self = error.code == .providerUnauthorized ? .refused : .notKnown
        }
    }
}
