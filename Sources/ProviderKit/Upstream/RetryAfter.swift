public import Provisioning

/// How long an answer asks to wait, whichever way it says so.
public enum RetryAfter {
    /// Nobody waits longer: a larger number is a mistake, or a way to stop us.
    static let limit = Duration.seconds(3600)

    /// Reads `retry-after-ms`, else `Retry-After` in seconds or as a date; nil where neither can be read.
    public static func read(_ response: UpstreamResponse, now: Timestamp) -> Duration? {
        if let text = response.header("retry-after-ms"), let milliseconds = number(text) {
            return clamp(.seconds(milliseconds / 1000))
        }
        guard let text = response.header("retry-after") else { return nil }
        if let seconds = number(text) { return clamp(.seconds(seconds)) }
        guard let moment = HTTPDate.read(text) else { return nil }
        return clamp(.milliseconds(moment.milliseconds - now.milliseconds))
    }

    /// Keeps a wait between nothing and the limit.
    static func clamp(_ wait: Duration) -> Duration { min(max(wait, .zero), limit) }

    /// Digits with an optional fraction; bounded, so that a duration can hold it.
    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }), let number = Double(text) else {
            return nil
        }
        return min(number, 1e9)
    }
}
