import Provisioning
import Testing

@testable import Storage

/// What devices say, row by row.
@Suite struct DeviceVocabularyTests {
    @Test(arguments: [
        ("PKPassKitErrorDomain", "0", DeviceReason.walletUnsupported),
        ("PKPassKitErrorDomain", "1", .cancelledByCardholder), ("PKPassKitErrorDomain", "2", .cancelledBySystem),
    ])
    func passKitsErrorsAreKnownWithinTheirDomain(_ domain: String, _ code: String, _ reason: DeviceReason) {
        #expect(DeviceVocabulary.reason(of: code, in: domain) == reason)
        #expect(DeviceVocabulary.reason(of: code, in: nil) == nil)
        #expect(DeviceVocabulary.reason(of: code, in: "NSURLErrorDomain") == nil)
    }

    @Test(arguments: [
        ("15002", DeviceReason.noActiveWallet), ("15003", .tokenNotFound), ("15004", .tokenStateInvalid),
        ("15005", .deviceUntrusted), ("15009", .walletUnavailable), ("15019", .tokenizationFailed),
        ("15021", .cardIneligible), ("15022", .declined), ("15023", .cardIneligible), ("15024", .tokenizationFailed),
        ("15025", .verificationRequired), ("15026", .deliveryTimedOut), ("15027", .cancelledByCardholder),
        ("15028", .tokenizationFailed), ("API_UNAVAILABLE", .walletUnavailable),
        ("USER_CANCELED", .cancelledByCardholder), ("CARD_CANCELED", .cardUnavailable),
        ("EPHEMERAL_KEY_ERROR", .credentialsRefused), ("TAP_AND_PAY_UNAVAILABLE", .walletUnavailable),
        ("NO_STABLE_HARDWARE_ID", .deviceUntrusted), ("NO_ACTIVE_WALLET_FOUND", .noActiveWallet),
        ("PUSH_PROVISIONING_ENCRYPTED_PAYLOAD_ERROR", .payloadUnavailable), ("UNKNOWN_ERROR", .operationFailed),
        ("CANCELLED", .cancelledByCardholder), ("cancelled", .cancelledByCardholder),
        ("CONFIGURATION_FAILURE", .appMisconfigured), ("configurationFailure", .appMisconfigured),
        ("OPERATION_FAILURE", .operationFailed), ("operationFailure", .operationFailed),
        ("pushProvisioningFailure", .operationFailed), ("ERROR_DEVICE_ENVIRONMENT_UNSAFE", .deviceUntrusted),
        ("deviceEnvironmentUnsafe", .deviceUntrusted), ("ERROR_DEBUG_SDK_USED", .deviceUntrusted),
        ("ERROR_CARD_NOT_FOUND", .cardUnavailable), ("cardNotFound", .cardUnavailable),
        ("ERROR_GPAY_NOT_SUPPORTED", .walletUnsupported), ("ERROR_NOT_LOGGED_IN", .credentialsRefused),
        ("walletExtensionAppGroupIDNotFound", .appMisconfigured), ("ERROR_CORE", .credentialsRefused),
    ])
    func aWordThatIsLikeNoOtherIsKnownInAnyDomain(_ code: String, _ reason: DeviceReason) {
        for domain in [nil, "TapAndPay", "com.example.app"] {
            #expect(DeviceVocabulary.reason(of: code, in: domain) == reason)
        }
    }

    @Test(arguments: [
        ("20001", "TPCError", DeviceReason.credentialsRefused), ("20001", "ERROR_CORE", .credentialsRefused),
        ("42", "TPCError", .operationFailed),
    ])
    func thalesErrorsAreKnownByTheirDomain(_ code: String, _ domain: String, _ reason: DeviceReason) {
        #expect(DeviceVocabulary.reason(of: code, in: domain) == reason)
    }

    @Test(arguments: ["", "15999", "1", "20001", "user_canceled", "SOMETHING_NEW"])
    func whatIsNotKnownHasNoReason(_ code: String) {
        #expect(DeviceVocabulary.reason(of: code, in: nil) == nil)
    }

    @Test func noWordStandsTwice() {
        let words = DeviceVocabulary.rows.map { "\($0.domain ?? "*") \($0.code)" }
        #expect(Set(words).count == words.count)
    }

    private static func report(_ result: DeviceReport.Result, _ code: String?, _ domain: String? = nil) -> DeviceReport
    {
        DeviceReport(id: "prov_1", program: "rides", result: result, code: code, domain: domain, at: Moment.after(2000))
    }

    @Test func theResultDecidesTheStatusWhateverTheCodeMeans() {
        for (result, status) in [(DeviceReport.Result.failed, ProvisioningStatus.failed), (.cancelled, .cancelled)] {
            var record = StoredProvisioning.sample().ended(.handedOff)
            record.note(Self.report(result, "USER_CANCELED"))
            #expect(record.status == status)
            #expect(record.timeline.last?.code == "cancelled_by_cardholder")
        }
    }

    @Test func theMeaningStandsBesideTheDevicesWord() {
        var record = StoredProvisioning.sample().ended(.handedOff)
        record.note(Self.report(.failed, "0", "PKPassKitErrorDomain"))
        let steps = record.timeline.suffix(2)
        #expect(steps.map(\.step) == ["failed", "device_reason"])
        #expect(steps.map(\.code) == ["0", "wallet_unsupported"])
        #expect(steps.first?.detail == "The code is one of PKPassKitErrorDomain.")
        var other = StoredProvisioning.sample().ended(.handedOff)
        other.note(Self.report(.failed, "SOMETHING_NEW"))
        #expect(other.timeline.last?.code == "SOMETHING_NEW")
        #expect(!other.timeline.contains { $0.step == "device_reason" })
    }
}
