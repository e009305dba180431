public import Provisioning

extension Situation {
    /// What every provider throws in a situation.
    public struct Failure: Sendable, CustomStringConvertible {
        /// The codes that are right; more than one where the processor's own page decides.
        public let codes: Set<ProblemCode>
        /// What is known of the effect.
        public let outcome: ProvisioningOutcome
        /// How long to wait.
        public let retryAfter: Duration?

        init(_ codes: Set<ProblemCode>, _ outcome: ProvisioningOutcome, retryAfter: Duration? = nil) {
            self.codes = codes
            self.outcome = outcome
            self.retryAfter = retryAfter
        }

        /// The codes and the outcome.
        public var description: String {
            "\(codes.map(\.rawValue).sorted().joined(separator: " or ")), \(outcome.rawValue)"
        }

        /// Whether the failure is this one.
        public func describes(_ error: ProvisioningError) -> Bool {
            codes.contains(error.code) && error.outcome == outcome
                && (retryAfter == nil || error.retryAfter == retryAfter)
        }
    }

    /// What every provider throws; nil where every provider succeeds.
    public var failure: Failure? {
        switch self {
        case .cardExists, .enumValuesUnheardOf, .membersUnheardOf, .cardIneligible: nil
        case .cardMissing: Failure([.providerCardNotFound], .refused)
        case .credentialsRejected, .permissionDenied: Failure([.providerUnauthorized], .refused)
        case .notEnabled: Failure([.programNotEnabled], .refused)
        case .handshakeRejected: Failure([.handshakeRejected], .refused)
        case .alreadyProvisioned: Failure([.alreadyProvisioned], .applied)
        case .deviceIneligible: Failure([.deviceIneligible], .refused)
        case .rateLimited: Failure([.providerRateLimited], .refused, retryAfter: .seconds(7))
        case .refusalUnheardOf, .problemImitated, .redirected: Failure([.providerRejected], .refused)
        case .htmlNotFound: Failure([.providerRejected, .providerCardNotFound], .refused)
        case .failureUnheardOf, .htmlBadGateway, .emptyFailure: Failure([.providerUnavailable], .unknown)
        case .gatewayTimeout: Failure([.providerTimeout], .unknown)
        case .wrongTypes, .truncated, .oversize, .htmlSuccess, .emptySuccess, .failureInSuccess:
            Failure([.providerContractViolation], .unknown)
        case .connectionRefused, .nameUnresolved, .certificateRejected, .cancelledBeforeSend, .silent:
            Failure([.providerUnavailable], .notSent)
        case .deadlineBeforeSend: Failure([.providerTimeout], .notSent)
        case .brokenAfterSend, .garbled, .deadlineAfterSend: Failure([.providerTimeout], .unknown)
        }
    }
}
