import ProviderConformance
import Testing

@Suite("The conformance suite catches providers that are wrong on purpose")
struct ConformanceTests {
    @Test func aRightProviderKeepsEveryPromise() async throws {
        let broken = try await broken(by: .none)
        #expect(broken == [])
    }

    /// Who breaks which promise.
    private static let faults: [(Fault, String)] = [
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
        (.speaksInSentences, "its descriptor is whole and without contradictions"),
        (.listsNoCredential, "it has them for the purposes that it lists, and for no other"),
        (.listsEveryCredential, "it has them for the purposes that it lists, and for no other"),
        (.trustsTokenIDs, "an id of another form is sent nowhere"),
        (.losesTokenFailures, "a failure is normalised, and nothing is called twice"),
        (.repeatsTokenCalls, "a failure is normalised, and nothing is called twice"),
        (.believesEveryDelivery, "an unsigned delivery is not believed"),
        (.takesRefusalForConsent, "whether they are taken is told, and nobody's card is asked for"),
        (.asksForSomebodysCard, "whether they are taken is told, and nobody's card is asked for"),
    ]

    @Test(arguments: faults)
    func aWrongProviderIsCaught(_ fault: Fault, by promise: String) async throws {
        let broken = try await broken(by: fault)
        #expect(broken.contains { $0.hasSuffix(promise) }, "broken instead: \(broken)")
    }

    @Test func everyFaultIsTried() {
        #expect(Set(Self.faults.map(\.0)) == Set(Fault.allCases).subtracting([.none]))
    }

    /// Every sort of promise has its provider that breaks it; those about situations are broken one by one below.
    @Test func everyPromiseHasAProviderThatBreaksIt() {
        let broken = Set(Self.faults.map(\.1))
        for requirement in Requirement<WrongHarness>.all {
            let promise = requirement.description.split(separator: ": ").last.map(String.init) ?? ""
            #expect(broken.contains(promise) || promise.hasSuffix(Self.answered), "nobody breaks: \(promise)")
        }
    }

    private static let answered = " has its normalized answer"

    @Test(arguments: Situation.allCases)
    func aSituationTakenForAnotherIsCaughtByItsOwnPromise(_ situation: Situation) async throws {
        let requirements = Requirement<WrongHarness>.all.filter { $0.description.hasSuffix(Self.answered) }
        var broken: [String] = []
        for requirement in requirements {
            do {
                _ = try await requirement.verify(WrongHarness(fault: .none, misread: situation))
            } catch is Violation {
                broken.append(requirement.description)
            }
        }
        let own = requirements.map(\.description).filter { $0.hasSuffix(": \(situation.rawValue)\(Self.answered)") }
        #expect(broken == own)
        // What upstream does while it is silent is a matter of cancellation alone.
        #expect(own.isEmpty == (situation == .silent))
    }

    @Test func whatCannotBeStagedIsNotRun() async throws {
        for requirement in Requirement<BareHarness>.all {
            let isLocal = ["descriptor is whole", "sent nowhere", "missing handshake", "unsigned delivery"].contains {
                requirement.description.contains($0)
            }
            let verdict = try await requirement.verify(BareHarness())
            #expect(verdict == (isLocal ? .kept : .notRun("nothing can be staged")), "\(requirement)")
        }
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
        return try await WrongProvider.$staticFault.withValue(fault) {
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
