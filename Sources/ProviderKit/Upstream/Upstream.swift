public import Provisioning
import SecretMemory

/// One processor's HTTP API, with its failures already normalized.
///
/// An adapter makes one from its kit and its ``UpstreamFailureTable``, and sends each request through it. What comes back
/// is a 2xx whose body is a JSON object; everything else is thrown as the failure that crosses the contract. It makes one
/// exchange per call and never tries again.
public struct Upstream: Sendable {
    private let transport: any UpstreamTransport
    private let json: any JSONParsing
    private let clock: any WallClock
    private let failures: UpstreamFailureTable

    /// Makes one of a connection's kit and the processor's table.
    public init(_ kit: AdapterKit, failures: UpstreamFailureTable) {
        transport = kit.transport
        json = kit.json
        clock = kit.clock
        self.failures = failures
    }

    /// Performs one exchange.
    ///
    /// - Returns: The 2xx, its body an object that is not a failure in disguise.
    /// - Throws: The normalized failure: `provider_unavailable` or `provider_timeout` where nothing was sent;
    ///   `provider_timeout` with the outcome unknown where no whole answer came; else what the table says of the answer.
    public func send(_ request: UpstreamRequest) async throws(ProvisioningError) -> UpstreamAnswer {
        let response: UpstreamResponse
        do throws(TransportFailure) {
            response = try await transport.send(request)
        } catch {
            throw ProvisioningError(transport: error)
        }
        let body = response.isBodyWhole ? (try? json.parse(response.body))?.root : nil
        let object = body?.kind == .object ? body : nil
        let fault = object.map { failures.read($0, response.status) } ?? UpstreamFault()
        // Only a failure is told of, and the request is searched for its words then.
        let report = { @Sendable in self.report(response, fault, SentWords(of: request)) }
        guard (200...299).contains(response.status) else {
            throw failure(response, fault, report())
        }
        guard let object else {
            throw ProvisioningError(violation: report(), "The processor's answer is not a JSON object.")
        }
        if let row = failures.softFailure(fault) {
            throw ProvisioningError(
                row.code, outcome: row.code == .alreadyProvisioned ? .applied : .refused, reason: row.reason,
                upstream: report())
        }
        return UpstreamAnswer(body: object, rawBody: response.body, report: report)
    }

    /// What is told of an answer: a word of the processor's that is in its table, or that repeats nothing of the request.
    private func report(_ response: UpstreamResponse, _ fault: UpstreamFault, _ sent: SentWords) -> UpstreamReport {
        let isKnown = failures.rows.contains { $0.word != nil && $0.word == fault.code }
        return UpstreamReport(
            status: response.status, code: isKnown ? fault.code : sent.unlessRepeated(fault.code),
            requestID: sent.unlessRepeated(fault.requestID ?? failures.requestID(of: response)))
    }

    private func failure(_ response: UpstreamResponse, _ fault: UpstreamFault, _ report: UpstreamReport)
        -> ProvisioningError
    {
        let meaning = failures.meaning(of: response.status, fault)
        let outcome: ProvisioningOutcome =
            switch response.status {
            case _ where meaning.code == .alreadyProvisioned: .applied
            case 300...499: .refused
            default: .unknown
            }
        return ProvisioningError(
            meaning.code, outcome: outcome, reason: meaning.reason, upstream: report,
            retryAfter: RetryAfter.read(response, now: clock.now) ?? fault.retryAfter.map(RetryAfter.clamp),
            retryAdvice: failures.advice(of: response))
    }
}

extension ProvisioningError {
    /// What an exchange without an answer means to the caller.
    init(transport failure: TransportFailure) {
        switch failure {
        case .notSent(.deadline): self.init(.providerTimeout, outcome: .notSent)
        case .notSent(.cancelled):
            self.init(.providerUnavailable, outcome: .notSent, detail: "The caller left before anything was sent.")
        case .notSent(.invalidRequest): self.init(.internalError, outcome: .notSent)
        case .notSent: self.init(.providerUnavailable, outcome: .notSent)
        case .outcomeUnknown: self.init(.providerTimeout, outcome: .unknown)
        }
    }

    /// A 2xx that is not what the processor's contract says.
    init(violation report: UpstreamReport, _ detail: String) {
        self.init(.providerContractViolation, outcome: .unknown, detail: detail, upstream: report)
    }
}
