import Sandbox
import SecretMemory

extension ImprintEmulator {
    /// What a payment method's id refuses before the body is read.
    func refusal(of magic: MagicPaymentMethod, _ wallet: String, path: String) -> ImprintError? {
        switch magic {
        case .noAccess: .permissionDenied
        case .deviceIneligible: .deviceIneligible
        case .alreadyThere: .alreadyProvisioned
        case .staleNonce: .invalidRequest("The handshake was rejected by the network.")
        case .noGooglePay where wallet == "google_pay": .walletUnsupported(wallet)
        case .rateLimited: .rateLimited(path)
        case .error: .framework(status: 500, error: "Internal Server Error", path: path, details: [])
        default: nil
        }
    }

    /// The answer of a payment method whose calls do nothing; nil for the others.
    func answerWithoutWork(_ magic: MagicPaymentMethod) -> EmulatedResponse? {
        switch magic {
        case .unavailable:
            .html(503, "<!doctype html><html><body><h1>503 Service Temporarily Unavailable</h1></body></html>")
        case .reset: EmulatedResponse(status: 200, breaks: .reset)
        case .empty: .json(200, SecretBytes([]))
        case .garbled: .json(200, SecretBytes(utf8: #"{"wallet":"apple_pay","provisioning_payload":{"#))
        case .oversize: .json(200, SecretBytes([UInt8](repeating: 0x20, count: 300_000)))
        default: nil
        }
    }

    /// The answer of a payment method whose calls do their work, but answer badly.
    func spoil(_ answer: EmulatedResponse, _ magic: MagicPaymentMethod) -> EmulatedResponse {
        var spoiled = answer
        switch magic {
        case .timeout: spoiled = EmulatedResponse(status: 504)
        case .slow: spoiled.delay = .seconds(30)
        case .lost: spoiled.breaks = .reset
        case .truncated: spoiled.breaks = .truncate(after: 40)
        default: break
        }
        return spoiled
    }
}
