import ProviderKit
import Provisioning
import SecretMemory

extension Requirement {
    /// The promises of those who can be asked for tokens, who change them, and who send webhooks.
    static func tokens(in operations: [Operation]) -> [Self] {
        let provider = Harness.Provider.self
        let operation = operations.first { if case .eligibility = $0 { true } else { false } }
        guard let operation else { return [] }
        var promises: [Self] = []
        if provider is any TokenDirectory.Type {
            promises += [keepsForeignTokensOut(with: operation), normalisesTokenFailures(with: operation)]
        }
        if provider is any WebhookSource.Type { promises.append(believesNoUnsignedDelivery(with: operation)) }
        return promises
    }

    /// No token's id of another form reaches a URL.
    private static func keepsForeignTokensOut(with operation: Operation) -> Self {
        Self("tokens: an id of another form is sent nowhere") { harness in
            let stage = try await harness.stage(.cardExists, for: operation)
            for id in ForeignID.all {
                for (call, work) in calls(about: id, on: stage) {
                    guard case .failure(let error) = await work(), error.outcome == .notSent else {
                        throw Violation("\(call) \(id.debugDescription): expected a refusal, nothing sent")
                    }
                }
            }
            try Violation.unless(stage.sent().isEmpty, "a request was sent")
            return .kept
        }
    }

    /// A page of HTML and a refused connection are failures as anywhere else, and each call is made once.
    private static func normalisesTokenFailures(with operation: Operation) -> Self {
        Self("tokens: a failure is normalised, and nothing is called twice") { harness in
            let expected: [(Situation, Set<ProblemCode>)] = [
                (.htmlBadGateway, [.providerUnavailable]), (.connectionRefused, [.providerUnavailable]),
            ]
            for (situation, codes) in expected {
                if let reason = harness.absence(of: situation, for: operation) { return .notRun(reason) }
                let id = (Harness.Provider.self as? any TokenDirectory.Type)?.tokenIDPattern.sample ?? ""
                for call in calls(about: id, on: try await harness.stage(situation, for: operation)).map(\.name) {
                    let stage = try await harness.stage(situation, for: operation)
                    guard let work = calls(about: id, on: stage).first(where: { $0.name == call })?.work,
                        case .failure(let error) = await work(), codes.contains(error.code)
                    else { throw Violation("\(call): \(situation.rawValue) is not told as what it is") }
                    try Violation.unless(
                        stage.sent().count <= max(harness.exchanges(for: operation), 1),
                        "\(call): \(stage.sent().count) exchanges")
                }
            }
            return .kept
        }
    }

    /// What shows no signature, or an empty one, is not believed, and leads to no call.
    private static func believesNoUnsignedDelivery(with operation: Operation) -> Self {
        Self("webhooks: an unsigned delivery is not believed") { harness in
            let stage = try await harness.stage(.cardExists, for: operation)
            guard let source = stage.provider as? any WebhookSource else { throw Violation("it is no source") }
            let names = [
                "stripe-signature", "cko-signature", "x-imprint-hmac-signature", "webhook-signature", "x-signature",
                "authorization",
            ]
            let zeros = String(repeating: "0", count: 64)
            let values = ["", "t=0,v1=,s=", "t=0,v1=\(zeros),s=\(zeros)", "v1,", zeros]
            var deliveries: [[(name: String, value: String)]] = [[]]
            for value in values {
                deliveries += names.map { [(name: $0, value: value)] }
                deliveries.append([("webhook-id", "1"), ("webhook-timestamp", "0"), ("webhook-signature", value)])
            }
            for headers in deliveries {
                for body in ["", "{}", #"{"id":"evt_1","object":"event"}"#] {
                    let delivery = WebhookDelivery(
                        headers: headers, body: SecretBytes(utf8: body), receivedAt: Timestamp(seconds: 0))
                    do throws(WebhookRefusal) {
                        _ = try source.verify(delivery)
                    } catch {
                        continue
                    }
                    throw Violation("a delivery without a signature that fits was believed")
                }
            }
            try Violation.unless(stage.sent().isEmpty, "a request was sent")
            return .kept
        }
    }

    private typealias Call = (name: String, work: @Sendable () async -> Result<TokenSighting, ProvisioningError>)

    /// Every call that the provider has about one token.
    private static func calls(about id: String, on stage: Stage<Harness.Provider>) -> [Call] {
        let (card, deadline) = (stage.request.card, stage.request.deadline)
        var calls: [Call] = []
        if let directory = stage.provider as? any TokenDirectory {
            calls.append(
                (
                    "read",
                    {
                        do throws(ProvisioningError) {
                            return .success(try await directory.token(id, of: card, deadline: deadline))
                        } catch {
                            return .failure(error)
                        }
                    }
                ))
        }
        if let lifecycle = stage.provider as? any TokenLifecycle {
            calls += TokenChange.allCases.map { change in
                (
                    change.rawValue,
                    {
                        do throws(ProvisioningError) {
                            return .success(
                                try await lifecycle.change(
                                    id, of: card, by: change, idempotencyKey: "conformance", deadline: deadline))
                        } catch {
                            return .failure(error)
                        }
                    }
                )
            }
        }
        return calls
    }
}

extension IdentifierPattern {
    /// A text that matches.
    fileprivate var sample: String {
        switch self {
        case .uuid: "00000000-0000-4000-8000-000000000000"
        case .prefixed(let prefixes, _, let length):
            (prefixes.first ?? "") + String(repeating: "a", count: length.lowerBound)
        }
    }
}
