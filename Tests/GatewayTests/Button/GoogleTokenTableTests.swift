import Testing

@testable import Gateway

/// What Google's tokens of a card make of the button.
@Suite struct GoogleTokenTableTests {
    private static let resumption = ButtonVerdict.show(.resumeVerification, on: .phone, .tokenNeedsVerification)

    /// Google's numbers and names, and what each state means for the button.
    static let states: [(number: Int, name: String, verdict: ButtonVerdict)] = [
        (1, "TOKEN_STATE_UNTOKENIZED", .hide(.tokenUntokenized)),
        (2, "TOKEN_STATE_PENDING", .hide(.tokenPending)),
        (3, "TOKEN_STATE_NEEDS_IDENTITY_VERIFICATION", resumption),
        (4, "TOKEN_STATE_SUSPENDED", .hide(.tokenSuspended)),
        (5, "TOKEN_STATE_ACTIVE", .hide(.tokenActive)),
        (6, "TOKEN_STATE_FELICA_PENDING_PROVISIONING", .hide(.tokenFelicaPending)),
    ]

    private func verdict(_ states: DeviceToken.State...) -> ButtonVerdict {
        GoogleTokenTable.verdict(states.map { DeviceToken(last4: "4242", state: $0) })
    }

    @Test(arguments: states)
    func aStateIsKnownByItsNumberAndByItsName(_ number: Int, _ name: String, _ expected: ButtonVerdict) {
        #expect(verdict(.number(number)) == expected)
        #expect(verdict(.name(name)) == expected)
        #expect(DeviceToken(last4: "4242", state: .number(number)).stateName == name)
    }

    @Test func everyStateHasOneRow() {
        #expect(GoogleTokenTable.rows.map(\.state.rawValue).sorted() == Self.states.map(\.number))
        #expect(GoogleTokenState.allCases.count == Self.states.count)
    }

    @Test(arguments: [
        DeviceToken.State.number(0), .number(7), .number(-1), .number(.max), .name("TOKEN_STATE_FROZEN"), .name("5"),
        .name("token_state_active"),
    ])
    func aTokenInAStateThatNobodyKnowsIsThere(_ state: DeviceToken.State) {
        #expect(verdict(state) == .hide(.tokenStateUnknown))
        #expect(DeviceToken(last4: "4242", state: state).stateName == nil)
    }

    @Test func noTokenMeansThatTheCardCanBeAdded() {
        #expect(verdict() == .show(.add, on: .phone, .noTokenOfCard))
    }

    /// Google wants a verification that was begun to be finished.
    @Test(arguments: states)
    func aTokenThatNeedsVerificationComesFirstInAnyOrder(_ number: Int, _ name: String, _ alone: ButtonVerdict) {
        #expect(verdict(.number(3), .name(name)) == Self.resumption)
        #expect(verdict(.number(number), .number(99), .number(3)) == Self.resumption)
        #expect(verdict(.number(number), .number(99)) == alone)
        #expect(verdict(.number(99), .number(number)) == alone)
    }
}
