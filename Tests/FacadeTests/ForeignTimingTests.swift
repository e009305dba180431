import Provisioning
import Testing

/// Whether the time of an answer tells a card that is somebody else's from one that there is not.
@Suite(.serialized)
struct ForeignTimingTests {
    /// How many answers of each kind make a sample.
    private static let sampleSize = 1000
    /// How far apart the medians of a sample may be.
    private static let tolerance = 0.05
    /// How often a sample is taken where a busy machine spoils it. What is really slower stays so.
    private static let tries = 4

    private typealias Question = @Sendable (FacadeFixture) async -> Answer

    private static func provisioning(_ card: String) -> Question {
        { fixture in
            await fixture.send(
                "POST", "/v1/cards/\(card)/provisionings",
                body: """
                    {"wallet": "google_pay", "cardholder": {"id": "somebody"},
                     "google_pay": {"wallet_id": "wallet-1", "device_id": "device-1"}}
                    """)
        }
    }

    private static func reading(_ card: String) -> Question { { await $0.send("GET", "/v1/cards/\(card)") } }

    @Test("E14: the medians of a thousand answers each lie within 5 percent, three times")
    func timeDoesNotTellWhoseACardIs() async throws {
        try await FacadeFixture.run { fixture in
            #expect(await fixture.makeCard("own").status == 201)
            #expect(await fixture.makeCard("theirs", program: "travel").status == 201)
            let pairs: [(name: String, hidden: Question, unknown: Question)] = [
                ("another program's card", Self.reading("theirs"), Self.reading("nobody")),
                ("another cardholder's card", Self.provisioning("own"), Self.provisioning("nobody")),
            ]
            for pair in pairs {
                for _ in 0..<3 {
                    var differences: [Double] = []
                    while differences.count < Self.tries, differences.last.map({ $0 > Self.tolerance }) ?? true {
                        differences.append(try await Self.difference(pair.hidden, pair.unknown, fixture))
                    }
                    #expect(differences.last ?? 1 <= Self.tolerance, "\(pair.name): \(differences)")
                }
            }
        }
    }

    /// By how much the medians of two kinds of answers differ, asked for in turns that change at random.
    private static func difference(
        _ one: Question, _ other: Question, _ fixture: FacadeFixture
    ) async throws -> Double {
        var times: (one: [Duration], other: [Duration]) = ([], [])
        for _ in 0..<sampleSize {
            let isOneFirst = Bool.random()
            for isOne in [isOneFirst, !isOneFirst] {
                let start = ContinuousClock.now
                let answer = await (isOne ? one : other)(fixture)
                let time = ContinuousClock.now - start
                try #require(answer.status == 404 && answer.code == "card_not_found")
                if isOne { times.one.append(time) } else { times.other.append(time) }
            }
        }
        let medians = (times.one.sorted()[sampleSize / 2], times.other.sorted()[sampleSize / 2])
        return abs(medians.0 / medians.1 - 1)
    }
}
