import Provisioning

/// A token that a report told of, with what the report did to it.
struct SightedToken {
    /// The token as it is kept now.
    var token: StoredToken
    /// What the report did to it; nil where it is new.
    let effect: StoredToken.Effect?

    /// Lets a sighting have its effect on what is known of the token, or makes a token of it.
    init(_ sighting: TokenSighting, known: StoredToken?, in report: TokenReport) {
        if var token = known {
            effect = token.take(sighting, from: report, providerCardID: report.providerCardID)
            self.token = token
            return
        }
        var first = sighting
        first.providerCardID = report.providerCardID
        token = StoredToken(
            id: IDDigits.id("tok_", at: report.receivedAt), card: report.card, provider: report.provider,
            connection: report.connection, providerCardID: report.providerCardID, sighting: first,
            observedAt: sighting.cut(report.observedAt), createdAt: report.receivedAt, updatedAt: report.receivedAt)
        effect = nil
    }

    /// An event that a report is told as.
    struct News {
        let type: EventType
        let token: StoredToken
        /// The token's state before; nil where it was not known.
        let former: TokenStatus?
    }

    /// The events of what changed. A webhook is one event: of several tokens in it, the newest that changed is told.
    static func news(of changes: [SightedToken], in report: TokenReport) -> [News] {
        let news: [News] = changes.compactMap { change in
            let (token, status) = (change.token, change.token.sighting.status)
            return switch change.effect {
            case nil: News(type: .token(status), token: token, former: nil)
            case .moved(let former): News(type: .token(status), token: token, former: former)
            case .changedCard: News(type: .tokenCardChanged, token: token, former: status)
            case .stale, .none?: nil
            }
        }
        return report.source == .webhook ? news.suffix(1) : news
    }
}

extension TokenReport {
    /// The tokens, the oldest first.
    var orderedTokens: [TokenSighting] {
        tokens.sorted { ($0.createdAt?.milliseconds ?? 0, $0.id) < ($1.createdAt?.milliseconds ?? 0, $1.id) }
    }
}

extension TokenAttribution {
    /// The moment from which on attempts of which one of the tokens may come were made; nil where none says when it was.
    /// An attempt is made before it is sent: by its deadline at most.
    static func earliestAttempt(for tokens: [TokenSighting]) -> Timestamp? {
        tokens.compactMap(\.createdAt).min()?.adding(milliseconds: -windowMilliseconds - 3_600_000)
    }
}
