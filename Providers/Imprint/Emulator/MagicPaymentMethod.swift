import Sandbox

/// What a payment method does by its id, without anything being set up. An id is an upper-case UUID; its first group
/// decides.
enum MagicPaymentMethod: String, CaseIterable {
    case ok = "0CA4D000"
    case inactive = "0CA4D001"
    case canceled = "0CA4D002"
    case dormant = "0CA4D003"
    case bankAccount = "0CA4D004"
    case noAccess = "0CA4D010"
    case deviceIneligible = "0CA4D011"
    case alreadyThere = "0CA4D012"
    case staleNonce = "0CA4D013"
    case noGooglePay = "0CA4D014"
    case rateLimited = "0CA4D020"
    case error = "0CA4D021"
    case unavailable = "0CA4D022"
    case timeout = "0CA4D023"
    case slow = "0CA4D030"
    case lost = "0CA4D031"
    case reset = "0CA4D032"
    case truncated = "0CA4D033"
    case empty = "0CA4D034"
    case garbled = "0CA4D035"
    case oversize = "0CA4D036"
    case undated = "0CA4D040"
    case noToken = "0CA4D041"

    /// The meaning of a payment method's id; nil where it has none.
    static func named(_ id: String) -> MagicPaymentMethod? {
        let groups = id.utf8.split(separator: 0x2d, omittingEmptySubsequences: false)
        let isUUID =
            groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
        return isUUID ? MagicPaymentMethod(rawValue: String(id.prefix(8))) : nil
    }

    /// Documents every id.
    static var documentation: [MagicID] { allCases.map { MagicID("\($0.rawValue)-…", $0.meaning) } }

    private var meaning: String {
        switch self {
        case .ok: "an active card"
        case .inactive: "status INACTIVE: provision answers 400 INVALID_REQUEST_ERROR"
        case .canceled: "status CANCELED: provision answers 400 INVALID_REQUEST_ERROR"
        case .dormant: "works, and its status and Google's answer hold words that nobody has heard of"
        case .bankAccount: "a bank account: provision answers 400 INVALID_REQUEST_ERROR"
        case .noAccess: "provision answers 403 permission_denied"
        case .deviceIneligible: "provision answers 422 device_ineligible"
        case .alreadyThere: "provision answers 409 already_provisioned"
        case .staleNonce: "provision answers 400 invalid_request"
        case .noGooglePay: "provision/google_pay answers 400 wallet_unsupported, as Imprint does today"
        case .rateLimited: "provision answers 429 in the framework's form, with Retry-After 7"
        case .error: "provision answers 500 in the framework's form"
        case .unavailable: "provision answers 503 with a proxy's HTML page"
        case .timeout: "provision does its work, and answers 504 without a body"
        case .slow: "provision does its work, and answers after 30 s"
        case .lost: "provision does its work, and the connection is reset"
        case .reset: "provision does nothing, and the connection is reset"
        case .truncated: "provision does its work, and the answer is cut after 40 bytes"
        case .empty: "provision answers 200 without a body"
        case .garbled: "provision answers 200 with JSON that is none"
        case .oversize: "provision answers 200 with more than 256 KiB"
        case .undated: "provision does its work, and its token shows no date"
        case .noToken: "provision answers well, and no token ever appears"
        }
    }
}
