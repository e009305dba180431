import ProviderTesting
import Provisioning
import Testing

@testable import Storage

/// The attribution rule, by named cases and over generated histories.
struct TokenAttributionTests {
    typealias Candidate = TokenAttribution.Candidate
    private let day = TokenAttribution.windowMilliseconds

    private func attempt(
        _ id: String, _ standing: Candidate.Standing, sentAfter milliseconds: Int64 = 0, wallet: Wallet = .applePay
    ) -> Candidate {
        Candidate(id: id, wallet: wallet, sentAt: Moment.after(milliseconds), standing: standing)
    }

    private func token(
        after milliseconds: Int64, precision: Int64 = 1, wallet: Wallet? = .applePay
    ) -> TokenSighting {
        TokenSighting(
            id: "token_1", status: .active, rawStatus: "active", wallet: wallet, createdAt: Moment.after(milliseconds),
            precisionMilliseconds: precision)
    }

    @Test func afterATimeoutTheRepeatThatWasDeliveredGetsTheToken() {
        let attempts = [attempt("timed-out", .unknown), attempt("repeat", .delivered, sentAfter: 20_000)]
        #expect(TokenAttribution.verdict(on: token(after: 30_000), among: attempts) == .attempt("repeat"))
    }

    @Test func aTokenFromBeforeTheRepeatBelongsToTheOneThatTimedOut() {
        let attempts = [attempt("timed-out", .unknown), attempt("repeat", .delivered, sentAfter: 20_000)]
        #expect(TokenAttribution.verdict(on: token(after: 19_999), among: attempts) == .attempt("timed-out"))
    }

    @Test func theNewestDeliveredGetsItHoweverManyAreUnknown() {
        let attempts = [
            attempt("a", .delivered, sentAfter: 1), attempt("c", .delivered, sentAfter: 3), attempt("b", .unknown),
            attempt("d", .delivered, sentAfter: 2), attempt("e", .unknown, sentAfter: 4),
        ]
        #expect(TokenAttribution.verdict(on: token(after: 10), among: attempts) == .attempt("c"))
    }

    @Test func twoUnknownOnesSettleNothing() {
        let attempts = [attempt("b", .unknown), attempt("a", .unknown), attempt("c", .other)]
        #expect(TokenAttribution.verdict(on: token(after: 10), among: attempts) == .ambiguous(["a", "b"]))
    }

    @Test func theOnlyUnknownOneGetsItAndNoOtherDoes() {
        #expect(
            TokenAttribution.verdict(on: token(after: 1), among: [attempt("a", .unknown), attempt("b", .other)])
                == .attempt("a"))
        #expect(TokenAttribution.verdict(on: token(after: 1), among: [attempt("b", .other)]) == .none)
        #expect(TokenAttribution.verdict(on: token(after: 1), among: []) == .none)
    }

    @Test func whileOneIsStillBeingSentNothingIsDecided() {
        let attempts = [attempt("a", .delivered), attempt("b", .open, sentAfter: 5)]
        #expect(TokenAttribution.verdict(on: token(after: 5), among: attempts) == .tooEarly)
        #expect(TokenAttribution.verdict(on: token(after: 4), among: attempts) == .attempt("a"))
    }

    @Test func theWindowIsADayAndItsEdgesBelongToIt() {
        let attempts = [attempt("a", .unknown, sentAfter: 500)]
        let edges: [(Int64, Int64, TokenAttribution.Verdict)] = [
            (499, 1, .none), (500, 1, .attempt("a")), (500 + day, 1, .attempt("a")), (501 + day, 1, .none),
            // A clock that shows whole seconds: the token of the second in which it was sent.
            (0, 1000, .attempt("a")), (-1000, 1000, .none),
        ]
        for (moment, precision, verdict) in edges {
            #expect(
                TokenAttribution.verdict(on: token(after: moment, precision: precision), among: attempts) == verdict)
        }
    }

    @Test func anotherWalletsTokenIsNobodys() {
        let attempts = [attempt("a", .unknown), attempt("b", .delivered, wallet: .googlePay)]
        #expect(TokenAttribution.verdict(on: token(after: 1), among: attempts) == .attempt("a"))
        #expect(
            TokenAttribution.verdict(on: token(after: 1, wallet: .googlePay), among: attempts) == .attempt("b"))
        #expect(TokenAttribution.verdict(on: token(after: 1, wallet: .samsungPay), among: attempts) == .none)
        #expect(TokenAttribution.verdict(on: token(after: 1, wallet: nil), among: attempts) == .none)
    }

    /// A history of attempts around a day, close enough for every edge to be met.
    private func history(_ random: inout DeterministicRandom) -> [Candidate] {
        (0..<Int.random(in: 0...6, using: &random)).map { number in
            attempt(
                "prov_\(number)", Candidate.Standing.allCases.randomElement(using: &random) ?? .other,
                sentAfter: Int64.random(in: 0...5, using: &random) * 500 + Int64.random(in: 0...1, using: &random)
                    * day,
                wallet: Bool.random(using: &random) ? .applePay : .googlePay)
        }
    }

    @Test func holdsForGeneratedHistories() {
        var random = DeterministicRandom(seed: 4)
        for _ in 0..<5000 {
            let attempts = history(&random)
            let precision: Int64 = Bool.random(using: &random) ? 1 : 1000
            let moment =
                Int64.random(in: -1...6, using: &random) * 500 + Int64.random(in: 0...1, using: &random) * day
            let token = token(after: moment / precision * precision, precision: precision)
            let verdict = TokenAttribution.verdict(on: token, among: attempts)
            #expect(
                TokenAttribution.verdict(on: token, among: attempts.shuffled(using: &random)) == verdict,
                "the order does not matter")
            let created = token.createdAt?.milliseconds ?? 0
            let possible = attempts.filter { attempt in
                let sent = attempt.sentAt.milliseconds - (attempt.sentAt.milliseconds % precision)
                return attempt.wallet == token.wallet && sent <= created
                    && created - attempt.sentAt.milliseconds <= day
            }
            switch verdict {
            case .attempt(let id):
                let chosen = possible.filter { $0.id == id }
                #expect(chosen.count == 1, "at most one, and one of the candidates")
                #expect(!possible.contains { $0.standing == .open })
                if chosen.first?.standing == .delivered {
                    #expect(!possible.contains { $0.standing == .delivered && $0.sentAt > chosen[0].sentAt })
                } else {
                    #expect(chosen.first?.standing == .unknown)
                    #expect(!possible.contains { $0.standing == .delivered || $0.standing == .unknown && $0.id != id })
                }
            case .ambiguous(let ids):
                #expect(ids.count > 1 && Set(ids) == Set(possible.filter { $0.standing == .unknown }.map(\.id)))
                #expect(!possible.contains { $0.standing == .delivered || $0.standing == .open })
            case .tooEarly: #expect(possible.contains { $0.standing == .open })
            case .none: #expect(!possible.contains { $0.standing != .other })
            }
        }
    }
}
