import Provisioning

extension StoredToken {
    /// What a sighting does to a token.
    enum Effect: Equatable {
        /// It is older than what is known, and changes nothing.
        case stale
        /// It says what is known.
        case none
        /// The token stands otherwise than before.
        case moved(from: TokenStatus)
        /// The token belongs to another card than before.
        case changedCard
    }

    /// Takes in what the processor says of the token, unless it said something later before: its time never goes back.
    /// Where its clock does not tell two words apart, a token does not go back towards its beginning. The answer to a
    /// question that was asked after the last change is later than that, whatever the two clocks say.
    mutating func take(_ token: TokenSighting, from report: TokenReport, providerCardID: String) -> Effect {
        var moment = token.cut(report.observedAt)
        if report.source == .probe, updatedAt <= report.observedAt {
            moment = max(moment, observedAt)
        } else {
            // A webhook may come late and be dated later than it was: it brings back nothing that is gone for good.
            if report.source == .webhook, sighting.status.isFinal, !token.status.isFinal { return .stale }
            if moment < observedAt { return .stale }
            if moment == observedAt, token.status.rank < sighting.status.rank { return .stale }
        }
        let before = self
        card = report.card
        self.providerCardID = providerCardID
        sighting.status = token.status
        sighting.rawStatus = token.rawStatus
        sighting.providerCardID = providerCardID
        sighting.wallet = token.wallet ?? sighting.wallet
        sighting.createdAt = sighting.createdAt ?? token.createdAt
        sighting.last4 = token.last4 ?? sighting.last4
        sighting.networkReference = token.networkReference ?? sighting.networkReference
        sighting.device = token.device ?? sighting.device
        observedAt = moment
        var unchanged = self
        unchanged.observedAt = before.observedAt
        if unchanged != before { updatedAt = max(updatedAt, report.receivedAt) }
        if before.sighting.status != token.status { return .moved(from: before.sighting.status) }
        return before.card == card ? .none : .changedCard
    }
}

extension TokenStatus {
    /// How far along its life a token is, as far as that can be said.
    fileprivate var rank: Int {
        switch self {
        case .unknown: 0
        case .requested: 1
        case .verificationRequired: 2
        case .active, .suspended: 3
        case .declined, .deleted: 4
        }
    }
}
