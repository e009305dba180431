extension ProvisioningStatus {
    /// The table of transitions: where an event leads, and from where. From anywhere else the status stays.
    static func row(of event: StatusEvent) -> (to: ProvisioningStatus, from: Set<ProvisioningStatus>) {
        switch event {
        // An `unknown` may be the sweep's: the instance that ran the attempt knows better.
        case .refused: (.refused, [.sending, .unknown])
        case .unknown: (.unknown, [.sending, .unknown])
        case .undelivered: (.undelivered, [.sending, .unknown])
        case .handedOff: (.handedOff, [.sending, .unknown])
        case .deviceAdded: (.added, [.handedOff, .undelivered, .unknown])
        case .deviceFailed: (.failed, [.handedOff, .undelivered, .unknown])
        case .deviceCancelled: (.cancelled, [.handedOff, .undelivered, .unknown])
        case .tokenRequested: (.requested, [.handedOff, .added, .unknown, .verificationRequired, .active])
        case .tokenVerificationRequired:
            (.verificationRequired, [.handedOff, .added, .unknown, .requested, .active])
        case .tokenActive: (.active, [.handedOff, .added, .unknown, .requested, .verificationRequired])
        case .tokenDeclined:
            (
                .declined,
                [
                    .sending, .unknown, .undelivered, .handedOff, .added, .requested, .verificationRequired, .active,
                ]
            )
        case .dayPassed: (.abandoned, [.handedOff, .undelivered, .unknown])
        }
    }

    /// Where the event leads from here; nil where the status stays.
    public func after(_ event: StatusEvent) -> ProvisioningStatus? {
        let (to, from) = Self.row(of: event)
        return from.contains(self) ? to : nil
    }

    /// Whether something may still be heard of an attempt that stands here.
    public var isFollowedUp: Bool {
        switch self {
        case .unknown, .undelivered, .handedOff, .added, .requested, .verificationRequired: true
        case .sending, .refused, .active, .declined, .failed, .cancelled, .abandoned: false
        }
    }
}
