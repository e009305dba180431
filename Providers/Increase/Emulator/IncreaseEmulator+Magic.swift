import Sandbox
import SecretMemory

extension IncreaseEmulator {
    /// What a card's id refuses before the body is read.
    func refusal(ofPush magic: MagicCard) -> IncreaseError? {
        switch magic {
        case .notenabled: .privateFeature
        case .nomethod: .unknownMethod("/cards/{card_id}/push_provision")
        case .ratelimited: .rateLimited
        case .error: .internalError
        default: nil
        }
    }

    /// The answer of a card whose calls do nothing; nil for the others.
    func answerWithoutWork(_ magic: MagicCard) -> EmulatedResponse? {
        switch magic {
        case .unavailable:
            .html(503, "<!doctype html><html><body><h1>503 Service Temporarily Unavailable</h1></body></html>")
        case .reset: EmulatedResponse(status: 200, breaks: .reset)
        case .empty: .json(200, SecretBytes([]))
        case .garbled: .json(200, SecretBytes(utf8: #"{"channel":"apple_pay_in_app","apple_pay_in_app":{"#))
        case .oversize: .json(200, SecretBytes([UInt8](repeating: 0x20, count: 300_000)))
        default: nil
        }
    }

    /// The answer of a card whose calls do their work, but answer badly.
    func spoil(_ answer: EmulatedResponse, _ magic: MagicCard) -> EmulatedResponse {
        var spoiled = answer
        switch magic {
        case .slow: spoiled.delay = .seconds(30)
        case .lost: spoiled.breaks = .reset
        case .truncated: spoiled.breaks = .truncate(after: 40)
        default: break
        }
        return spoiled
    }
}
