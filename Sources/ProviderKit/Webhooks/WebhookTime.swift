public import Provisioning

/// A delivery's timestamp, read strictly, and how far it may be from the gateway's clock.
public enum WebhookTime: Sendable {
    /// Whole seconds since 1970.
    case seconds
    /// Whole milliseconds since 1970.
    case milliseconds

    /// How far a timestamp may be from the gateway's clock, in the past and in the future.
    public static let toleranceSeconds: Int64 = 300

    /// Checks a timestamp: decimal digits and nothing else. One in the other unit is far outside of the tolerance.
    ///
    /// - Throws: `malformed` or `outsideTolerance`.
    public func check(_ text: String?, at now: Timestamp) throws(WebhookRefusal) {
        guard let text, (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int64(text)
        else { throw .malformed }
        let isNear =
            switch self {
            case .seconds: abs(now.seconds - number) <= Self.toleranceSeconds
            case .milliseconds: abs(now.milliseconds - number) <= Self.toleranceSeconds * 1000
            }
        if !isNear { throw .outsideTolerance }
    }
}
