import Foundation

/// A processor's refusal with advice on a repeat, and what follows from it.
struct RetryAdvice: Sendable {
    let name: String
    let status: Int
    /// The fields, made when the answer is.
    let fields: @Sendable () -> [(name: String, value: String)]
    /// How long it asks to wait; nil where it does not.
    var wait: Duration?
    /// The `retry_after` that callers are told; nil is none.
    var told: ClosedRange<Int>?
    /// The processor whose advice it is: with the others the field means nothing. Nil for everybody's.
    var provider: String?
    /// What that processor advises on a repeat; nil is nothing.
    var advice: Bool?

    /// The answer.
    var answer: RawAnswer {
        var answer = RawAnswer(status, #"{"message":"\#(MatrixFault.canary)"}"#)
        answer.headers += fields()
        return answer
    }

    /// How many calls the processor sees: another one where the call may be repeated, the failure may heal or the
    /// processor says so, and the wait ends within the deadline.
    func calls(of call: MatrixCall) -> Int {
        let ownAdvice = provider == call.provider ? advice : nil
        let isTransient = [429, 502, 503].contains(status)
        let isInTime = (wait ?? .zero) * 1.2 < .seconds(14)
        return call.isRepeatable && (ownAdvice ?? isTransient) && isInTime ? 2 : 1
    }

    static let all: [RetryAdvice] = [
        RetryAdvice(
            name: "seconds", status: 503, fields: { [("Retry-After", "1")] }, wait: .seconds(1), told: 1...1),
        RetryAdvice(
            name: "a date", status: 429, fields: { [("Retry-After", Self.date(in: 3))] }, wait: .seconds(1),
            told: 1...3),
        RetryAdvice(
            name: "milliseconds before seconds", status: 503,
            fields: { [("Retry-After", "600"), ("Retry-After-Ms", "1500")] }, wait: .seconds(1.5), told: 2...2),
        RetryAdvice(
            name: "a date that has passed", status: 503, fields: { [("Retry-After", Self.date(in: -60))] }, told: 0...0),
        RetryAdvice(
            name: "longer than the deadline", status: 429, fields: { [("Retry-After", "30")] }, wait: .seconds(30),
            told: 30...30),
        RetryAdvice(
            name: "without bounds", status: 503, fields: { [("Retry-After", "99999999999999999999")] },
            wait: .seconds(3600), told: 3600...3600),
        RetryAdvice(name: "no number", status: 503, fields: { [("Retry-After", "soon")] }),
        RetryAdvice(name: "a negative number", status: 503, fields: { [("Retry-After", "-1")] }),
        RetryAdvice(
            name: "Stripe says yes", status: 400, fields: { [("Stripe-Should-Retry", "true")] }, provider: "stripe",
            advice: true),
        RetryAdvice(
            name: "Stripe says no", status: 503, fields: { [("Stripe-Should-Retry", "false")] }, provider: "stripe",
            advice: false),
        RetryAdvice(
            name: "Increase says yes", status: 400, fields: { [("X-Should-Retry", "true")] }, provider: "increase",
            advice: true),
        RetryAdvice(
            name: "Increase says no", status: 503, fields: { [("X-Should-Retry", "false")] }, provider: "increase",
            advice: false),
        RetryAdvice(
            name: "Stripe says something else", status: 503, fields: { [("Stripe-Should-Retry", "perhaps")] },
            provider: "stripe"),
    ]

    private static func date(in seconds: Double) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.string(from: Date(timeIntervalSinceNow: seconds))
    }
}
