import Foundation
import ProviderKit
import Provisioning
import Sandbox

extension IncreaseEmulator {
    /// Answers `GET /digital_wallet_tokens/{id}`.
    func readToken(_ id: String, _ state: IncreaseState) -> EmulatedResponse {
        guard let token = state.tokens.first(where: { $0.id == id }) else {
            return IncreaseError.notFound("digital wallet token").response
        }
        var json = JSONWriter()
        token.write(into: &json)
        return .json(200, json.finish())
    }

    /// Answers `GET /digital_wallet_tokens`, the newest first, with Increase's filters, `limit` and `cursor`.
    func listTokens(_ request: EmulatedRequest, _ state: IncreaseState) -> EmulatedResponse {
        var reader = StrictReader()
        var filter = TokenFilter()
        for (name, value) in request.parameters ?? [] where !filter.take(name, value) {
            reader.refuse(name, "is not a known parameter, or has no such value")
        }
        if request.parameters == nil { reader.refuse("query", "cannot be read") }
        let matching = state.tokens.reversed().filter(filter.admits)
        var rest = matching[...]
        if let cursor = filter.cursor {
            guard let last = matching.firstIndex(where: { $0.id == cursor }) else {
                reader.refuse("cursor", "is not a cursor of this list")
                return IncreaseError.invalidParameters(reader.problems).response
            }
            rest = matching[(last + 1)...]
        }
        guard reader.problems.isEmpty else { return IncreaseError.invalidParameters(reader.problems).response }
        let page = rest.prefix(filter.limit)
        var json = JSONWriter()
        json.object { json in
            json.member("data", array: { json in for token in page { token.write(into: &json) } })
            json.member("next_cursor", page.count < rest.count ? page.last?.id : nil)
        }
        return .json(200, json.finish())
    }
}

/// What a list of tokens is narrowed by.
private struct TokenFilter {
    var cardID: String?
    var cursor: String?
    var limit = 100
    var bounds: [(name: String, moment: String)] = []

    /// Takes a parameter; false where it is unknown or wrong.
    mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "card_id": cardID = value
        case "cursor": cursor = value
        case "limit":
            guard let number = Int(value), (1...100).contains(number) else { return false }
            limit = number
        case "created_at.after", "created_at.before", "created_at.on_or_after", "created_at.on_or_before":
            guard let moment = try? Date(value, strategy: .iso8601) else { return false }
            bounds.append((name, moment.formatted(.iso8601)))
        default: return false
        }
        return true
    }

    /// Moments compare as texts: all are UTC with whole seconds.
    func admits(_ token: IncreaseToken) -> Bool {
        if let cardID, token.cardID != cardID { return false }
        let created = token.createdAt.wholeSecondsText
        return bounds.allSatisfy { name, moment in
            switch name {
            case "created_at.after": created > moment
            case "created_at.before": created < moment
            case "created_at.on_or_after": created >= moment
            default: created <= moment
            }
        }
    }
}
