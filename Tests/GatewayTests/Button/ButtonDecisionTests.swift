import Provisioning
import Testing

@testable import Gateway

/// What all facts together make of the button.
@Suite struct ButtonDecisionTests {
    private static let last4 = "4242"

    private func facts(
        _ wallet: Wallet = .applePay, eligible: Bool? = true, reason: String? = nil,
        digitization: DigitizationState? = nil,
        _ device: DeviceFacts
    ) -> ButtonFacts {
        ButtonFacts(
            wallet: wallet, eligibility: Eligibility(eligible: eligible, reason: reason), provider: "scripted",
            connection: "main", hasActivationCredential: false, device: device, digitization: digitization,
            last4: Self.last4)
    }

    private func facts(_ device: DeviceFacts) -> ButtonFacts { facts(.applePay, device) }

    private func verdict(_ facts: ButtonFacts) -> ButtonVerdict { ButtonDecision.verdict(on: facts) }

    private static func token(_ number: Int, last4: String = last4) -> DeviceToken {
        DeviceToken(last4: last4, state: .number(number))
    }

    @Test(arguments: [
        (DigitizationState.digitized, ButtonVerdict.hide(.digitized)),
        (.notDigitized, .show(.add, on: .phone, .notDigitized)),
        (.phoneVerificationRequired, .show(.resumeVerification, on: .phone, .verificationPending)),
        (.watchVerificationRequired, .show(.resumeVerification, on: .watch, .verificationPending)),
        (.inProgress, .hide(.digitizationInProgress)),
    ])
    func everyStateOfAnSDKHasItsButtonInEitherWallet(_ state: DigitizationState, _ expected: ButtonVerdict) {
        for wallet in [Wallet.applePay, .googlePay] {
            let device = DeviceFacts(digitizationState: "WORD")
            #expect(verdict(facts(wallet, digitization: state, device)) == expected)
        }
    }

    @Test func everyStateOfAnSDKHasARow() {
        #expect(Set(DigitizationTable.rows.keys) == Set(DigitizationState.allCases))
    }

    @Test func aWordThatNobodyKnowsHidesTheButton() {
        for wallet in [Wallet.applePay, .googlePay] {
            let device = DeviceFacts(canAdd: true, digitizationState: "HALFWAY")
            #expect(verdict(facts(wallet, device)) == .hide(.digitizationStateUnknown))
        }
    }

    /// Eligibility false, and no answer, hide whatever waits on the device.
    @Test func whatIsNotEligibleIsHidden() {
        let device = DeviceFacts(canAdd: true, watchPaired: true, localPass: .requiresActivation)
        #expect(verdict(facts(eligible: nil, device)) == .hide(.eligibilityUnknown))
        #expect(verdict(facts(eligible: false, device)) == .hide(.cardIneligible))
        #expect(WalletButton(facts: facts(eligible: nil, reason: "resting", device)).reason == "eligibility_unknown")
        #expect(
            WalletButton(facts: facts(eligible: false, reason: "missing_agreement", device)).reason
                == "missing_agreement")
        #expect(WalletButton(facts: facts(eligible: false, device)).reason == "card_ineligible")
    }

    @Test(arguments: [
        (true, ButtonVerdict.show(.add, on: .phone, .deviceCanAdd)), (false, .hide(.deviceCannotAdd)),
    ])
    func theDevicesWordAloneDecides(_ canAdd: Bool, _ expected: ButtonVerdict) {
        for wallet in [Wallet.applePay, .googlePay] {
            #expect(verdict(facts(wallet, DeviceFacts(canAdd: canAdd))) == expected)
        }
        for isPaired in [false, true] {
            #expect(verdict(facts(DeviceFacts(canAdd: canAdd, watchPaired: isPaired))) == expected)
        }
    }

    /// X02: a device that says no while a watch is free gets no button, and both facts are told.
    @Test func x02FactsThatDisagreeBothStand() {
        let facts = facts(
            DeviceFacts(canAdd: false, watchPaired: true, localPass: .activated, remotePass: .absent))
        #expect(verdict(facts) == .hide(.deviceCannotAdd))
        #expect(facts.device.canAdd == false && facts.device.watchIsFree == true)
        var willing = facts
        willing.device.canAdd = true
        #expect(verdict(willing) == .show(.addToWatch, on: .watch, .watchHasNoPass))
    }

    @Test(arguments: [
        (DeviceFacts(watchPaired: true, localPass: .activated), true as Bool?),
        (DeviceFacts(watchPaired: true, localPass: .activated, remotePass: .deactivated), false),
        (DeviceFacts(watchPaired: false, localPass: .activated), false), (DeviceFacts(watchPaired: true), nil),
        (DeviceFacts(localPass: .activated, remotePass: .absent), nil),
    ])
    func aWatchIsFreeWhereItIsPairedAndHasNoPass(_ device: DeviceFacts, _ isFree: Bool?) {
        #expect(device.watchIsFree == isFree)
    }

    /// What waits to be finished is not adding, so it stays where the device cannot add.
    @Test func whatWaitsIsFinishedWhateverTheDeviceCanAdd() {
        let pass = DeviceFacts(canAdd: false, localPass: .activated, remotePass: .requiresActivation)
        #expect(verdict(facts(pass)) == .show(.activate, on: .watch, .watchPassRequiresActivation))
        let token = DeviceFacts(canAdd: false, tokens: [Self.token(3)])
        #expect(
            verdict(facts(.googlePay, token)) == .show(.resumeVerification, on: .phone, .tokenNeedsVerification))
        let sdk = DeviceFacts(canAdd: false, digitizationState: "WAITING")
        #expect(
            verdict(facts(digitization: .watchVerificationRequired, sdk))
                == .show(.resumeVerification, on: .watch, .verificationPending))
    }

    /// An SDK's state says less than the passes that come with it.
    @Test func passesSayWhichDeviceIsMissing() {
        let watch = DeviceFacts(watchPaired: true, localPass: .activated, digitizationState: "NOT_ALL")
        #expect(
            verdict(facts(digitization: .notDigitized, watch)) == .show(.addToWatch, on: .watch, .watchHasNoPass))
        let phone = DeviceFacts(watchPaired: false, localPass: .activated, digitizationState: "NOT_ALL")
        #expect(verdict(facts(digitization: .notDigitized, phone)) == .hide(.noWatchPaired))
        let none = DeviceFacts(localPass: .absent, digitizationState: "NONE")
        #expect(verdict(facts(digitization: .notDigitized, none)) == .show(.add, on: .phone, .notDigitized))
        let all = DeviceFacts(localPass: .absent, digitizationState: "ALL")
        #expect(verdict(facts(digitization: .digitized, all)) == .hide(.digitized))
    }

    /// An SDK gives nil for a pass that is not there, and an app leaves nil out.
    @Test func aPassThatIsLeftOutIsNotThere() {
        #expect(verdict(facts(DeviceFacts(watchPaired: true))) == .show(.add, on: .phone, .phoneHasNoPass))
        #expect(verdict(facts(DeviceFacts(remotePass: .activated))) == .show(.add, on: .phone, .phoneHasNoPass))
        #expect(verdict(facts(DeviceFacts(localPass: .suspended))) == .hide(.noWatchPaired))
    }

    @Test func aDeviceOfWhichNothingIsKnownGetsNoButton() {
        let passes = DeviceFacts(watchPaired: true, localPass: .requiresActivation)
        let unknown: [(Wallet, DeviceFacts)] = [
            (.applePay, DeviceFacts()), (.applePay, DeviceFacts(tokens: [])), (.googlePay, DeviceFacts()),
            // Passes say nothing of Google's wallet, and tokens nothing of Apple's.
            (.googlePay, passes), (.applePay, DeviceFacts(tokens: [Self.token(3)])), (.samsungPay, passes),
        ]
        for (wallet, device) in unknown { #expect(verdict(facts(wallet, device)) == .hide(.deviceUnreported)) }
    }

    @Test func onlyTheCardsOwnTokensCount() {
        let others = [Self.token(3, last4: "4243"), Self.token(5, last4: "0042")]
        let none = facts(.googlePay, DeviceFacts(tokens: others))
        #expect(verdict(none) == .show(.add, on: .phone, .noTokenOfCard))
        #expect(none.tokens == [] && none.otherTokens == 2)
        let one = facts(.googlePay, DeviceFacts(tokens: others + [Self.token(5)]))
        #expect(verdict(one) == .hide(.tokenActive))
        #expect(one.tokens == [Self.token(5)] && one.otherTokens == 2)
        let unlisted = facts(.googlePay, DeviceFacts(canAdd: true))
        #expect(unlisted.tokens == nil && unlisted.otherTokens == nil)
    }

    /// Every combination has an answer that holds together.
    @Test func everyCombinationHasAnAnswer() {
        let digitizations: [(String?, DigitizationState?)] =
            [(nil, nil), ("unheard of", nil)] + DigitizationState.allCases.map { ("known", $0) }
        let tokens: [[DeviceToken]?] =
            [nil, [], [Self.token(5, last4: "1111")]] + (0...6).map { [Self.token($0)] } + [
                [Self.token(5), Self.token(3)]
            ]
        var reasons: Set<ButtonReason> = []
        for device in Self.appleDevices {
            for (word, meaning) in digitizations {
                for tokens in device.speaksOfPasses ? [nil] : tokens {
                    var device = device
                    device.digitizationState = word
                    device.tokens = tokens
                    for wallet in Wallet.allCases {
                        for eligible in [true, false, nil] {
                            let facts = facts(wallet, eligible: eligible, digitization: meaning, device)
                            reasons.insert(check(facts))
                        }
                    }
                }
            }
        }
        #expect(reasons == Set(ButtonReason.allCases))
    }

    private static var appleDevices: [DeviceFacts] {
        let flags: [Bool?] = [nil, false, true]
        let passes: [PassState?] = [nil] + PassState.allCases
        return flags.flatMap { canAdd in
            flags.flatMap { paired in
                passes.flatMap { local in
                    passes.map { remote in
                        DeviceFacts(canAdd: canAdd, watchPaired: paired, localPass: local, remotePass: remote)
                    }
                }
            }
        }
    }

    private func check(_ facts: ButtonFacts) -> ButtonReason {
        let verdict = verdict(facts)
        let action = verdict.action
        let holds =
            (action == .none) == (verdict.target == nil)
            && (facts.eligibility.eligible == true || action == .none)
            && (facts.device.canAdd != false || ![.add, .addToWatch].contains(action))
            && (facts.wallet == .applePay || ![.activate, .addToWatch].contains(action))
            && (facts.wallet != .samsungPay || action == .none)
            && (action != .addToWatch || facts.device.watchIsFree == true)
            && verdict.reason.rawValue.wholeMatch(of: /[a-z_]{1,64}/) != nil
        if !holds { Issue.record("\(verdict) does not follow from \(facts)") }
        return verdict.reason
    }
}
