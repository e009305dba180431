/// What devices' words mean. The processors and wallets may have others: those have no reason here, and are kept as they
/// came.
///
/// Upstream references: Apple's `PKAddPaymentPassViewController.h`; Google's status codes of the push provisioning API;
/// Stripe's table of `PushProvisioningActivityStarter.Error`; Checkout.com's card management SDKs; Thales' pages on TPC,
/// whose codes are not public: only what its error is called, and a text that its server is known to give.
enum DeviceVocabulary {
    /// A word and its meaning. A number means something within its domain only, unless it is like no other's.
    struct Row: Sendable {
        let domain: String?
        let code: String
        let reason: DeviceReason

        init(_ code: String, _ reason: DeviceReason, in domain: String? = nil) {
            self.domain = domain
            self.code = code
            self.reason = reason
        }
    }

    static let rows: [Row] = passKit + google + stripe + checkout + thales

    private static let passKit = [
        Row("0", .walletUnsupported, in: "PKPassKitErrorDomain"),
        Row("1", .cancelledByCardholder, in: "PKPassKitErrorDomain"),
        Row("2", .cancelledBySystem, in: "PKPassKitErrorDomain"),
    ]

    private static let google = [
        Row("15002", .noActiveWallet), Row("15003", .tokenNotFound), Row("15004", .tokenStateInvalid),
        Row("15005", .deviceUntrusted), Row("15009", .walletUnavailable), Row("15019", .tokenizationFailed),
        Row("15021", .cardIneligible), Row("15022", .declined), Row("15023", .cardIneligible),
        Row("15024", .tokenizationFailed), Row("15025", .verificationRequired), Row("15026", .deliveryTimedOut),
        Row("15027", .cancelledByCardholder), Row("15028", .tokenizationFailed),
        Row("API_UNAVAILABLE", .walletUnavailable),
    ]

    private static let stripe = [
        Row("USER_CANCELED", .cancelledByCardholder), Row("CARD_CANCELED", .cardUnavailable),
        Row("EPHEMERAL_KEY_ERROR", .credentialsRefused), Row("TAP_AND_PAY_UNAVAILABLE", .walletUnavailable),
        Row("NO_STABLE_HARDWARE_ID", .deviceUntrusted), Row("NO_ACTIVE_WALLET_FOUND", .noActiveWallet),
        Row("PUSH_PROVISIONING_ENCRYPTED_PAYLOAD_ERROR", .payloadUnavailable),
        Row("UNKNOWN_ERROR", .operationFailed),
    ]

    /// A debugging build is told as an unsupported wallet by some versions of the Android SDK.
    private static let checkout = [
        Row("CANCELLED", .cancelledByCardholder), Row("cancelled", .cancelledByCardholder),
        Row("CONFIGURATION_FAILURE", .appMisconfigured), Row("configurationFailure", .appMisconfigured),
        Row("OPERATION_FAILURE", .operationFailed), Row("operationFailure", .operationFailed),
        Row("pushProvisioningFailure", .operationFailed),
        Row("ERROR_DEVICE_ENVIRONMENT_UNSAFE", .deviceUntrusted), Row("deviceEnvironmentUnsafe", .deviceUntrusted),
        Row("ERROR_DEBUG_SDK_USED", .deviceUntrusted), Row("ERROR_CARD_NOT_FOUND", .cardUnavailable),
        Row("cardNotFound", .cardUnavailable), Row("ERROR_GPAY_NOT_SUPPORTED", .walletUnsupported),
        Row("ERROR_NOT_LOGGED_IN", .credentialsRefused),
        Row("walletExtensionAppGroupIDNotFound", .appMisconfigured),
    ]

    private static let thales = [
        Row("ERROR_CORE", .credentialsRefused), Row("20001", .credentialsRefused, in: "ERROR_CORE"),
        Row("20001", .credentialsRefused, in: "TPCError"),
    ]

    /// What a code means; nil where it is not known.
    static func reason(of code: String, in domain: String?) -> DeviceReason? {
        rows.first { $0.code == code && ($0.domain == nil || $0.domain == domain) }?.reason
            // Whatever Thales' SDK calls an error is one, by whichever code.
            ?? (domain == "TPCError" ? .operationFailed : nil)
    }
}
