import ProviderKit
import Provisioning

extension Requirement {
    /// The promises of those who can tell whether their credentials are taken.
    static func credentialCheck(in operations: [Operation]) -> [Self] {
        guard Harness.Provider.self is any CredentialCheck.Type else { return [] }
        return [tellsWhetherItsCredentialsAreTaken(in: operations)]
    }

    /// Taken credentials are told by silence, refused ones by their code, a failure as anywhere else. The question is
    /// about nobody's card, and no description of what is thrown shows a secret.
    private static func tellsWhetherItsCredentialsAreTaken(in operations: [Operation]) -> Self {
        Self("credentials: whether they are taken is told, and nobody's card is asked for") { harness in
            guard let operation = operations.reversed().first(where: { harness.exchanges(for: $0) > 0 }) else {
                return .notRun("the provider answers by itself")
            }
            let expected: [(Situation, ProblemCode?)] = [
                (.cardExists, nil), (.credentialsRejected, .providerUnauthorized),
                (.htmlBadGateway, .providerUnavailable), (.connectionRefused, .providerUnavailable),
                (.brokenAfterSend, .providerTimeout),
            ]
            var absences: [String] = []
            for (situation, code) in expected {
                if let absence = harness.absence(of: situation, for: operation) {
                    absences.append(absence)
                    continue
                }
                let stage = try await harness.stage(situation, for: operation)
                guard let check = stage.provider as? any CredentialCheck, check.credentialQuestion != nil else {
                    return .notRun("the connection has nobody to ask")
                }
                let failure = await failure(of: check, deadline: stage.request.deadline)
                try Violation.unless(
                    failure?.code == code,
                    "\(situation.rawValue): told as \(failure?.code.rawValue ?? "taken")")
                let sent = stage.sent()
                // An access token that is refused may be replaced once.
                try Violation.unless(
                    sent.count <= 2 * harness.exchanges(for: operation),
                    "\(situation.rawValue): \(sent.count) exchanges")
                let card = stage.request.card.providerCardID
                try Violation.unless(!sent.contains { $0.url.contains(card) }, "a card was asked for")
                let told = failure.map { "\($0) \(String(reflecting: $0))" } ?? ""
                for secret in stage.secrets() where !secret.isEmpty && told.contains(secret) {
                    throw Violation("\(situation.rawValue): a description shows a secret")
                }
            }
            return absences.count < expected.count ? .kept : .notRun(absences[0])
        }
    }

    private static func failure(of check: any CredentialCheck, deadline: ContinuousClock.Instant)
        async -> ProvisioningError?
    {
        do throws(ProvisioningError) {
            try await check.checkCredentials(deadline: deadline)
            return nil
        } catch {
            return error
        }
    }
}
