import Crypto
import ProviderKit
import Provisioning
import SecretMemory

/// A webhook: a line with the processor, and `signed` where the body is to be signed rightly; header fields; an empty
/// line; the body.
struct WebhookCheck: Sendable {
    private let adapters: [String: any ConfigurableProvider]

    init() throws { adapters = try AdapterBench().adapters(over: OneReply()) }

    func check(_ input: [UInt8]) async throws(BrokenPromise) {
        let parts = SplitInput(input)
        guard let name = parts.words.first.map(String.init), let source = adapters[name] as? any WebhookSource else {
            return
        }
        let own = parts.words.contains("signed") ? Self.signature(of: parts.body, by: name) : []
        let delivery = WebhookDelivery(
            headers: parts.fields + own, body: SecretBytes(parts.body), receivedAt: AdapterBench.clock.now)
        if let receipt = try? source.verify(delivery) {
            try promise((1...256).contains(receipt.key.utf8.count), "a key of \(receipt.key.utf8.count) bytes")
            try promise(receipt.word.map(UpstreamReport.isWord) ?? true, "a word that is none")
            try checkForgeries(of: delivery, source, isTimed: name != "checkout")
        } else {
            try promise(own.isEmpty || !parts.fields.isEmpty, "a webhook is refused that is signed rightly")
        }
        try await checkContent(delivery.body, source)
    }

    /// What else the signature could be thought to cover.
    private func checkForgeries(of delivery: WebhookDelivery, _ source: any WebhookSource, isTimed: Bool)
        throws(BrokenPromise)
    {
        func isTaken(_ headers: [(name: String, value: String)], _ body: [UInt8], after milliseconds: Int64 = 0) -> Bool
        {
            let forged = WebhookDelivery(
                headers: headers, body: SecretBytes(body),
                receivedAt: delivery.receivedAt.adding(milliseconds: milliseconds))
            return (try? source.verify(forged)) != nil
        }
        let body = delivery.body.reveal()
        try promise(!isTaken(delivery.headers, body + [0x20]), "a body is taken with a space after it")
        if let last = body.last {
            try promise(!isTaken(delivery.headers, body.dropLast() + [last ^ 1]), "another body is taken")
        }
        try promise(!isTaken([], body), "a body is taken without a signature")
        try promise(!isTaken(delivery.headers + delivery.headers, body), "a signature is taken twice")
        guard isTimed else { return }
        for milliseconds: Int64 in [-86_400_000, 86_400_000] {
            try promise(!isTaken(delivery.headers, body, after: milliseconds), "a webhook is taken a day off its time")
        }
    }

    /// Whoever has the secret may still send anything.
    private func checkContent(_ body: SecretBytes, _ source: any WebhookSource) async throws(BrokenPromise) {
        let outline = source.outline(of: body)
        try promise((outline.subject?.utf8.count ?? 0) <= 256, "a subject without end")
        guard let notice = try? await source.notice(in: body, deadline: .now + .seconds(5)) else { return }
        for token in notice.tokens {
            try promise((1...256).contains(token.id.utf8.count), "a token's id of \(token.id.utf8.count) bytes")
        }
        let again = try? await source.notice(in: body, deadline: .now + .seconds(5))
        try promise(again == notice, "the same body says something else when it is read again")
    }

    /// The header fields that the processor would send now.
    private static func signature(of body: [UInt8], by name: String) -> [(name: String, value: String)] {
        func code(_ prefix: String) -> [UInt8] {
            HMACSHA256.code(
                key: SecretBytes(utf8: AdapterBench.webhookSecret), of: [SecretBytes(utf8: prefix), SecretBytes(body)])
        }
        func hex(_ prefix: String) -> String {
            Hexadecimal.encode(SecretBytes(code(prefix))).revealText() ?? ""
        }
        let now = AdapterBench.clock.now
        switch name {
        case "stripe": return [("stripe-signature", "t=\(now.seconds),v1=\(hex("\(now.seconds)."))")]
        case "checkout": return [("cko-signature", hex(""))]
        case "imprint":
            return [("x-imprint-hmac-signature", "t=\(now.milliseconds),s=\(hex("\(now.milliseconds)."))")]
        default:
            return [
                ("webhook-id", "msg_1"), ("webhook-timestamp", "\(now.seconds)"),
                ("webhook-signature", "v1,\(Base64.encode(code("msg_1.\(now.seconds).")))"),
            ]
        }
    }
}
