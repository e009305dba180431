import ProviderKit
import Provisioning

/// What a destination's answer means.
enum DeliveryVerdict: Sendable, Equatable {
    /// It has the event.
    case delivered
    /// It wants no more events.
    case gone
    /// It does not have it, and may ask to be left alone for a while. No redirect is followed: 3xx is one of these.
    case failed(wait: Duration?)

    /// What an answer means, whatever its body says.
    static func of(_ response: UpstreamResponse, at now: Timestamp) -> DeliveryVerdict {
        switch response.status {
        case 200...299: .delivered
        case 410: .gone
        case 429, 503: .failed(wait: RetryAfter.read(response, now: now))
        default: .failed(wait: nil)
        }
    }
}
