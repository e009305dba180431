/// Who is in a migration's cohort, as it is asked for.
public enum Cohort: Codable, Hashable, Sendable {
    /// A percentage of the cardholders, with two decimals at most.
    case percent(Double)
    /// These cards; with `advance`, these besides.
    case cards([String])

    /// Reads what ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let percent = try container.decodeIfPresent(Double.self, forKey: .percent) {
            self = .percent(percent)
        } else {
            self = .cards(try container.decode([String].self, forKey: .cards))
        }
    }

    /// Writes one of the two members.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .percent(let percent): try container.encode(percent, forKey: .percent)
        case .cards(let cards): try container.encode(cards, forKey: .cards)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case percent, cards
    }
}
