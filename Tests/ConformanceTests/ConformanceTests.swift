import ProviderConformance
import Testing

@Suite("The conformance suite catches providers that are wrong on purpose")
struct ConformanceTests {
    @Test func aRightProviderKeepsEveryPromise() async throws {
        let broken = try await broken(by: .none)
        #expect(broken == [])
    }

    @Test(
        arguments: [
            (.triesAgain, "calls upstream once, in success and in failure"),
            (.neverCalls, "calls upstream once, in success and in failure"),
            (.trustsItsCaller, "an id of another form is sent nowhere"),
            (.takesEveryPattern, "its descriptor is whole and without contradictions"),
            (.ignoresTheHandshake, "a missing handshake is refused, and nothing is sent"),
            (.outlivesTheDeadline, "calls upstream once, in success and in failure"),
            (.forgetsTheOutcome, "broken_after_send has its normalized answer"),
            (.callsEveryFailureUnavailable, "card_missing has its normalized answer"),
            (.trustsImitations, "problem_imitated has its normalized answer"),
            (.takesUnknownStatusForActive, "enum_values_unheard_of has its normalized answer"),
            (.takesEmptyForSuccess, "empty_success has its normalized answer"),
            (.tellsUpstreamsText, "no secret and no upstream text is in any description"),
            (.showsItsKey, "no secret and no upstream text is in any description"),
            (.refusesUnknownMembers, "members_unheard_of has its normalized answer"),
            (.dropsTheWait, "rate_limited has its normalized answer"),
            (.refusesOverlap, "calls may overlap"),
            (.ignoresCancellation, "a cancelled call ends at once"),
            (.wrongHandoff, "card_exists has its normalized answer"),
            (.forgetsAHeader, "card_exists has its normalized answer"),
        ] as [(Fault, String)])
    func aWrongProviderIsCaught(_ fault: Fault, by promise: String) async throws {
        let broken = try await broken(by: fault)
        #expect(broken.contains { $0.hasSuffix(promise) }, "broken instead: \(broken)")
    }

    @Test func everyFaultIsTried() {
        #expect(Fault.allCases.count == 20)
    }

    @Test(arguments: [
        ("4111 1111 1111 1111", 1), ("4111-1111-1111-1111", 1), ("\"sk_live_x\"", 1), ("4111111111111112", 0),
        ("2026-11-30T12:00:00", 0), ("-----BEGIN PRIVATE KEY-----", 1),
    ])
    func whatLooksRealIsFound(_ text: String, _ count: Int) {
        #expect(RealSecrets.findings(in: text).count == count)
    }

    /// The promises that a provider with that fault breaks.
    private func broken(by fault: Fault) async throws -> [String] {
        let requirements = Requirement<WrongHarness>.all
        return try await WrongProvider.$hasOpenPattern.withValue(fault == .takesEveryPattern) {
            var broken: [String] = []
            for requirement in requirements {
                do {
                    let verdict = try await requirement.verify(WrongHarness(fault: fault))
                    #expect(verdict == .kept)
                } catch is Violation {
                    broken.append(requirement.description)
                }
            }
            return broken
        }
    }
}
