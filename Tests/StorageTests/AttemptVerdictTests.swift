import Provisioning
import Testing

@testable import Storage

@Suite("An attempt speaks of its side by what the processor or the gateway caused")
struct AttemptVerdictTests {
    private func attempt(
        _ status: ProvisioningStatus, delivered: Bool = false, code: ProblemCode? = nil,
        situation: RetrySituation = .sentSingleUse, steps: [(String, String?)] = []
    ) -> StoredProvisioning {
        var record = StoredProvisioning.sample().ended(.handedOff)
        record.status = status
        record.deliveredAt = delivered ? Moment.after(700) : nil
        if code != nil || !delivered { record.handoffBytes = nil }
        record.failure = code.map {
            StoredFailure(code: $0, outcome: .refused, situation: situation)
        }
        record.timeline += steps.map { TimelineStep(at: Moment.after(800), step: $0.0, source: "gateway", code: $0.1) }
        return record
    }

    private func verdict(_ isHandedOff: Bool?, active: Bool? = nil, added: Bool? = nil) -> AttemptVerdict {
        AttemptVerdict(isHandedOff: isHandedOff, isActive: active, isAdded: added)
    }

    @Test func whatBecameOfAHandoffIsTheSecondStage() {
        let rows: [(ProvisioningStatus, active: Bool?, added: Bool?)] = [
            (.handedOff, nil, nil), (.added, nil, true), (.requested, nil, true), (.verificationRequired, nil, true),
            (.active, true, true), (.declined, false, false), (.failed, false, false), (.abandoned, false, false),
            (.cancelled, nil, nil),
        ]
        for row in rows {
            #expect(attempt(row.0, delivered: true).verdict == verdict(true, active: row.active, added: row.added))
        }
    }

    @Test func whatTheProcessorOrTheGatewayCausedCounts() {
        for code: ProblemCode in [
            .providerUnavailable, .providerTimeout, .providerRateLimited, .providerUnauthorized,
            .providerContractViolation, .providerRejected, .providerCardNotFound, .programNotEnabled, .cardIneligible,
            .handshakeRejected, .internalError,
        ] {
            for status: ProvisioningStatus in [.refused, .unknown, .abandoned] {
                #expect(attempt(status, code: code).verdict == verdict(false), "\(code)")
            }
        }
        // Its instance was gone before it ended.
        #expect(attempt(.unknown).verdict == verdict(false))
    }

    @Test func badInputAndWhatIsThereAlreadyDoNotCount() {
        let codes: [(ProblemCode, RetrySituation)] = [
            (.invalidRequest, .notSent), (.handshakeInvalid, .notSent), (.clientVersionRequired, .notSent),
            (.alreadyProvisioned, .sentSingleUse), (.handshakeReused, .notSent), (.deviceIneligible, .sentSingleUse),
        ]
        for (code, situation) in codes {
            #expect(attempt(.refused, code: code, situation: situation).verdict == verdict(nil), "\(code)")
        }
    }

    @Test func aCallerThatLeftDoesNotCount() {
        let left = [(StoredProvisioning.callerLeftStep, String?.none)]
        #expect(attempt(.refused, code: .providerUnavailable, situation: .notSent, steps: left).verdict == verdict(nil))
        #expect(attempt(.unknown, code: .providerTimeout, steps: left).verdict == verdict(nil))
        var undelivered = attempt(.undelivered)
        undelivered.handoffBytes = 2048
        #expect(undelivered.verdict == verdict(nil))
        undelivered.status = .abandoned
        #expect(undelivered.verdict == verdict(nil))
    }

    @Test func whatIsTheDevicesOwnDoesNotCount() {
        let own: Set<DeviceReason> = [
            .cancelledByCardholder, .cancelledBySystem, .walletUnsupported, .walletUnavailable, .noActiveWallet,
            .deviceUntrusted, .appMisconfigured, .verificationRequired,
        ]
        for reason in DeviceReason.allCases {
            let found = attempt(.failed, delivered: true, steps: [("device_reason", reason.rawValue)]).verdict
            let counts: Bool? = own.contains(reason) ? nil : false
            #expect(found == verdict(true, active: counts, added: counts), "\(reason)")
        }
    }

    @Test func oneWithoutAnEndSaysNothing() {
        #expect(attempt(.sending).verdict == verdict(nil))
    }

    @Test func severalTriesSucceedWhereOneDoes() {
        #expect(
            AttemptVerdict.joined([
                verdict(false), verdict(true, active: false, added: false), verdict(true, added: true),
            ])
                == verdict(true, active: false, added: true))
        #expect(AttemptVerdict.joined([verdict(nil), verdict(false)]) == verdict(false))
        #expect(AttemptVerdict.joined([]) == verdict(nil))
    }
}
