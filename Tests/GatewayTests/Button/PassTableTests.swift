import Testing

@testable import Gateway

/// The page's branches on the passes of phone and watch.
@Suite struct PassTableTests {
    /// The passes of phone and watch, whether a watch is paired, and what the page shows then.
    struct Case: Sendable, CustomTestStringConvertible {
        let phone: PassState
        let watch: PassState
        let isPaired: Bool
        let verdict: ButtonVerdict

        init(_ phone: PassState, _ watch: PassState, _ isPaired: Bool, _ verdict: ButtonVerdict) {
            self.phone = phone
            self.watch = watch
            self.isPaired = isPaired
            self.verdict = verdict
        }

        var testDescription: String {
            "phone \(phone.rawValue), watch \(watch.rawValue), \(isPaired ? "paired" : "not paired")"
        }
    }

    private static let addToPhone = ButtonVerdict.show(.add, on: .phone, .phoneHasNoPass)
    private static let addToWatch = ButtonVerdict.show(.addToWatch, on: .watch, .watchHasNoPass)
    private static let activatePhone = ButtonVerdict.show(.activate, on: .phone, .phonePassRequiresActivation)
    private static let activateWatch = ButtonVerdict.show(.activate, on: .watch, .watchPassRequiresActivation)

    /// T04: no pass, a pass, and one that waits for activation, on either device: nine cases, each with and without a
    /// paired watch.
    static let cases = [
        Case(.absent, .absent, false, addToPhone), Case(.absent, .absent, true, addToPhone),
        Case(.absent, .activated, false, addToPhone), Case(.absent, .activated, true, addToPhone),
        Case(.absent, .requiresActivation, false, activateWatch),
        Case(.absent, .requiresActivation, true, activateWatch),
        Case(.activated, .absent, false, .hide(.noWatchPaired)), Case(.activated, .absent, true, addToWatch),
        Case(.activated, .activated, false, .hide(.bothHavePasses)),
        Case(.activated, .activated, true, .hide(.bothHavePasses)),
        Case(.activated, .requiresActivation, false, activateWatch),
        Case(.activated, .requiresActivation, true, activateWatch),
        Case(.requiresActivation, .absent, false, activatePhone),
        Case(.requiresActivation, .absent, true, activatePhone),
        Case(.requiresActivation, .activated, false, activatePhone),
        Case(.requiresActivation, .activated, true, activatePhone),
        Case(.requiresActivation, .requiresActivation, false, activatePhone),
        Case(.requiresActivation, .requiresActivation, true, activatePhone),
    ]

    @Test(arguments: cases)
    func t04EveryCaseOfTwoPassesHasItsButton(_ row: Case) {
        let verdict = PassTable.verdict(phone: row.phone, watch: row.watch, watchPaired: row.isPaired)
        #expect(verdict == row.verdict)
    }

    @Test func t04TheCasesAreAllThereAre() {
        let states: Set = [PassState.absent, .activated, .requiresActivation]
        #expect(Set(Self.cases.map(\.testDescription)).count == states.count * states.count * 2)
        #expect(Set(Self.cases.map(\.phone)) == states && Set(Self.cases.map(\.watch)) == states)
        // Every row of the table, and what is left for the end, decides one of them.
        let deciding = Set(Self.cases.map(\.verdict.reason))
        #expect(deciding == Set((PassTable.rows.map(\.verdict) + [PassTable.otherwise]).map(\.reason)))
    }

    /// T04: only a pass that waits is special. One that is being activated, suspended or deactivated is a pass.
    @Test(arguments: PassState.allCases, PassState.allCases)
    func t04EveryOtherStateIsThatOfAPass(_ phone: PassState, _ watch: PassState) {
        for isPaired in [false, true] {
            let verdict = PassTable.verdict(phone: phone, watch: watch, watchPaired: isPaired)
            #expect(verdict == Self.page(phone, watch, isWatchPaired: isPaired))
            let plain = PassTable.verdict(phone: plain(phone), watch: plain(watch), watchPaired: isPaired)
            #expect(verdict == plain)
        }
    }

    private func plain(_ state: PassState) -> PassState {
        [.absent, .requiresActivation].contains(state) ? state : .activated
    }

    /// The page's code for SDK 2.1.0 and later, branch by branch.
    private static func page(_ localPass: PassState, _ remotePass: PassState, isWatchPaired: Bool) -> ButtonVerdict {
        if localPass == .requiresActivation {
            activatePhone
        } else if remotePass == .requiresActivation {
            activateWatch
        } else if localPass != .absent && remotePass == .absent {
            isWatchPaired ? addToWatch : .hide(.noWatchPaired)
        } else if localPass == .absent {
            addToPhone
        } else {
            .hide(.bothHavePasses)
        }
    }
}
