public import ProviderKit

/// The gateway's events as they come, followed from the last one that was seen: a lost connection leaves no gap.
public struct EventFeed: Sendable {
    /// What one look at the gateway came to.
    public enum Look: Sendable {
        /// These events are new. There may be more at once.
        case events([JSONView], mayHaveMore: Bool)
        /// The gateway cannot be reached, or has no time, for this reason. Look again.
        case away(String)
        /// The last event that was seen is kept no more, so what came between it and the oldest is not known.
        case gap
        /// The gateway does not tell, for this reason, and will not.
        case refused(String)
    }

    private let gateway: GatewayClient
    /// The id of the last event that was seen.
    public private(set) var last: String?

    /// Follows from an event on, or from the oldest that is kept.
    public init(gateway: GatewayClient, after last: String? = nil) {
        self.gateway = gateway
        self.last = last
    }

    /// Looks once for what is new.
    public mutating func look() async -> Look {
        let answer: GatewayAnswer
        do throws(TransportFailure) {
            answer = try await gateway.send(
                .get, "/v1/events?limit=100" + (last.map { "&after=\($0)" } ?? ""), within: .seconds(10))
        } catch {
            return .away(error.cause.rawValue)
        }
        switch answer.status {
        case 200:
            guard let events = answer.json?["data"]?.elements else { return .away("an answer that is no list") }
            if let id = events.last?["id"]?.string { last = id }
            return .events(events, mayHaveMore: answer.json?["next_cursor"]?.isNull == false)
        case 400 where last != nil && answer.json?["errors"]?.elements?.first?["pointer"]?.string == "/after":
            last = nil
            return .gap
        case 400..<500 where answer.status != 429: return .refused(answer.problemLine)
        default: return .away(answer.problemLine)
        }
    }
}
