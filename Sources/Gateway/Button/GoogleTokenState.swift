/// `TOKEN_STATE_*` of Google's Push Provisioning API, by its number and its name.
///
/// Upstream reference:
/// <https://developers.google.com/pay/issuers/apis/push-provisioning/android/enumerated-values#token_status>.
enum GoogleTokenState: Int, Sendable, CaseIterable {
    case untokenized = 1
    case pending = 2
    case needsIdentityVerification = 3
    case suspended = 4
    case active = 5
    case felicaPendingProvisioning = 6

    /// Google's name.
    var name: String {
        switch self {
        case .untokenized: "TOKEN_STATE_UNTOKENIZED"
        case .pending: "TOKEN_STATE_PENDING"
        case .needsIdentityVerification: "TOKEN_STATE_NEEDS_IDENTITY_VERIFICATION"
        case .suspended: "TOKEN_STATE_SUSPENDED"
        case .active: "TOKEN_STATE_ACTIVE"
        case .felicaPendingProvisioning: "TOKEN_STATE_FELICA_PENDING_PROVISIONING"
        }
    }

    /// The state that an app reported; nil where nobody here knows it.
    init?(_ reported: DeviceToken.State) {
        let state = Self.allCases.first { state in
            switch reported {
            case .number(let number): number == state.rawValue
            case .name(let name): name == state.name
            }
        }
        guard let state else { return nil }
        self = state
    }
}
