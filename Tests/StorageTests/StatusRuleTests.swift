import Provisioning
import Testing

@testable import Storage

struct StatusRuleTests {
    @Test(arguments: ProvisioningStatus.allCases, ProvisioningStatus.allCases)
    func onlyAnOpenAttemptIsCompletedAndOnlyAsTheGatewayMay(_ from: ProvisioningStatus, _ to: ProvisioningStatus) {
        let isOpen = [.sending, .unknown].contains(from)
        let isEnding = [.refused, .unknown, .undelivered, .handedOff].contains(to)
        #expect(from.canBeCompleted(as: to) == (isOpen && isEnding))
    }

    @Test(arguments: [ProvisioningStatus.added, .active, .requested, .declined, .failed, .cancelled, .abandoned])
    func whatWasSaidSinceStaysAndWhatTheGatewayLearntIsKept(_ status: ProvisioningStatus) {
        var stored = StoredProvisioning.sample()
        stored.status = status
        stored.timeline.append(TimelineStep(at: Moment.after(100), step: "added", source: "device"))
        let ended = StoredProvisioning.sample().ended(.handedOff, after: 700)
        let kept = stored.completed(as: ended)
        #expect(kept.status == status)
        #expect(kept.handoffDigest == ended.handoffDigest && kept.sentAt == ended.sentAt)
        #expect(kept.timeline.map(\.step) == ["received", "checked", "added", "handed_off"])
    }

    @Test func aFormerIdIsABindingOfTheCard() {
        let binding = StoredBinding(card: .increase("card_new"), formerIDs: ["card_old"], state: .standby)
        #expect(binding.isSame(as: .increase("card_new")) && binding.isSame(as: .increase("card_old")))
        #expect(!binding.isSame(as: .increase("card_other")))
        var elsewhere = CardBinding.increase("card_old")
        elsewhere.connection = "increase_other"
        #expect(!binding.isSame(as: elsewhere))
    }
}
