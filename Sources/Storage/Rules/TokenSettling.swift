import Provisioning

/// Attributes the tokens of one report to a card's attempts, one token after the other, the oldest first.
struct TokenSettling {
    private let report: TokenReport
    private let numbers: [Int64]
    private var attempts: [StoredProvisioning]
    private var changes: Set<Int> = []
    /// Whether a token may come from an attempt that is still being sent.
    private(set) var isTooEarly = false

    init(report: TokenReport, attempts: [(number: Int64, element: StoredProvisioning)]) {
        self.report = report
        numbers = attempts.map(\.number)
        self.attempts = attempts.map(\.element)
    }

    /// The attempts that something happened to.
    var changed: [StoredProvisioning] { changes.sorted().map { attempts[$0] } }

    /// The attempts' statuses as they stand, by id.
    var statuses: [String: ProvisioningStatus] {
        Dictionary(attempts.map { ($0.id, $0.status) }) { first, _ in first }
    }

    /// The id of an attempt of the card.
    func id(of number: Int64) -> String? { numbers.firstIndex(of: number).map { attempts[$0].id } }

    /// Lets a token have its effect.
    ///
    /// - Parameter owner: The attempt that the token is known to come from.
    /// - Returns: The attempt that it comes from; nil where none is known.
    mutating func settle(_ token: TokenSighting, owner: Int64?) -> Int64? {
        if let owner {
            guard let index = numbers.firstIndex(of: owner) else { return nil }
            move(index, by: token)
            return owner
        }
        switch TokenAttribution.verdict(on: token, among: attempts.map(\.candidate)) {
        case .attempt(let id):
            guard let index = attempts.firstIndex(where: { $0.id == id }) else { return nil }
            attempts[index].note(
                step("token_found", token, detail: token.createdAt.map { "The token was made \($0.rfc3339)." }))
            changes.insert(index)
            move(index, by: token)
            return numbers[index]
        case .ambiguous(let ids):
            for index in attempts.indices where ids.contains(attempts[index].id) && !attempts[index].isAmbiguous {
                attempts[index].isAmbiguous = true
                attempts[index].updatedAt = max(attempts[index].updatedAt, report.receivedAt)
                attempts[index].note(
                    step(
                        "ambiguous", token,
                        detail: "A token may come from this attempt or from another one, so it settles neither."))
                changes.insert(index)
            }
            return nil
        case .tooEarly:
            isTooEarly = true
            return nil
        case .none: return nil
        }
    }

    /// Moves the status as the token says, unless the attempt heard of a later moment before.
    private mutating func move(_ index: Int, by token: TokenSighting) {
        let observedAt = token.cut(report.observedAt)
        if let seen = attempts[index].tokenSeenAt, observedAt < token.cut(seen) { return }
        if attempts[index].tokenSeenAt != observedAt {
            attempts[index].tokenSeenAt = observedAt
            changes.insert(index)
        }
        guard let event = token.status.event(for: attempts[index].status),
            attempts[index].apply(event, at: report.receivedAt, by: report.source)
        else { return }
        attempts[index].timeline.append(step(attempts[index].status.rawValue, token, detail: nil))
        changes.insert(index)
    }

    private func step(_ word: String, _ token: TokenSighting, detail: String?) -> TimelineStep {
        TimelineStep(
            at: report.receivedAt, step: word, source: report.source == .webhook ? "webhook" : "provider",
            code: UpstreamReport(status: nil, code: token.rawStatus).code, detail: detail)
    }
}

extension StoredProvisioning {
    /// The attempt as the attribution rule sees it. One that is still being sent may be sent from its reservation on.
    fileprivate var candidate: TokenAttribution.Candidate {
        let standing: TokenAttribution.Candidate.Standing =
            switch status {
            case .sending: .open
            case _ where deliveredAt != nil: .delivered
            case .unknown: .unknown
            default: .other
            }
        return TokenAttribution.Candidate(
            id: id, wallet: wallet, sentAt: sentAt ?? createdAt,
            standing: sentAt == nil && status != .sending ? .other : standing)
    }
}

extension TokenStatus {
    /// What a token that stands so is to an attempt with that status; nil where it says nothing more.
    ///
    /// A word that nobody here knows, and a token that is gone, prove that a token was made, and no more.
    fileprivate func event(for status: ProvisioningStatus) -> StatusEvent? {
        switch self {
        case .requested: .tokenRequested
        case .verificationRequired: .tokenVerificationRequired
        case .active, .suspended: .tokenActive
        case .declined: .tokenDeclined
        case .deleted, .unknown:
            [.requested, .verificationRequired, .active].contains(status) ? nil : .tokenRequested
        }
    }
}
