public import Foundation
public import PassgateContract

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// Takes the events that a gateway sends to a destination, signed by Standard Webhooks 1.0.
///
/// A destination gets an event at least once: keep `Event.id` to tell a second one. Answer 2xx within 15 seconds, and do
/// the work after.
public struct WebhookReceiver: Sendable, Concealed {
    /// Whether a code is the HMAC-SHA256 of a message under a key, in constant time. With swift-crypto:
    /// ```swift
    /// { HMAC<SHA256>.isValidAuthenticationCode($0, authenticating: $1, using: SymmetricKey(data: $2)) }
    /// ```
    public typealias Verifier = @Sendable (_ code: Data, _ message: Data, _ key: Data) -> Bool

    /// By how much a delivery's time may differ from ours.
    public static let standardTolerance = Duration.seconds(300)

    private let keys: [Data]
    private let tolerance: Duration
    private let verify: Verifier
    private let now: @Sendable () -> Date

    /// A receiver with the destination's secrets, `whsec_…`: while one replaces another, both.
    ///
    /// - Throws: ``WebhookRefusal/unusableSecret`` where one has another form, or there is none.
    public init(
        secrets: [String], tolerance: Duration = WebhookReceiver.standardTolerance,
        now: @escaping @Sendable () -> Date = { Date() }, verify: @escaping Verifier
    ) throws(WebhookRefusal) {
        var keys: [Data] = []
        for secret in secrets {
            guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))), !key.isEmpty
            else { throw .unusableSecret }
            keys.append(key)
        }
        if keys.isEmpty { throw .unusableSecret }
        self.keys = keys
        self.tolerance = tolerance
        self.verify = verify
        self.now = now
    }

    #if canImport(CryptoKit)
        /// A receiver that verifies with CryptoKit. Not compiled on Linux, where Passgate is built and tested.
        public init(
            secrets: [String], tolerance: Duration = WebhookReceiver.standardTolerance
        ) throws(WebhookRefusal) {
            try self.init(secrets: secrets, tolerance: tolerance) { code, message, key in
                HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: SymmetricKey(data: key))
            }
        }
    #endif

    /// Verifies a delivery and reads its event.
    ///
    /// - Parameters:
    ///   - body: The bytes as they came.
    ///   - header: Looks a header field up by its name in lower case.
    public func receive(_ body: Data, header: (String) -> String?) throws(WebhookRefusal) -> Event {
        guard let id = header("webhook-id"), let time = header("webhook-timestamp"),
            let signatures = header("webhook-signature"), let seconds = Int64(time)
        else { throw .unsigned }
        let distance = abs(now().timeIntervalSince1970 - Double(seconds))
        if distance > tolerance / .seconds(1) { throw .outOfTime }
        let message = Data("\(id).\(time).".utf8) + body
        let codes = signatures.split(separator: " ").compactMap { signature in
            signature.hasPrefix("v1,") ? Data(base64Encoded: String(signature.dropFirst(3))) : nil
        }
        let isGenuine = codes.contains { code in keys.contains { verify(code, message, $0) } }
        if !isGenuine { throw .forged }
        do { return try JSONDecoder().decode(Event.self, from: body) } catch { throw .unreadable }
    }
}
