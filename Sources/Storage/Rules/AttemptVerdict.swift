import Provisioning

/// What an attempt says of the side that served it: only what the processor or the gateway caused. Of each stage true
/// where it succeeded, false where it failed, and nil where it says nothing, or nothing yet.
struct AttemptVerdict: Equatable {
    /// Whether the app got its handoff.
    var isHandedOff: Bool?
    /// Of one with a handoff: whether the processor has an active token. For processors that tell of tokens.
    var isActive: Bool?
    /// Of one with a handoff: whether the card came into the wallet, as the device or the processor says.
    var isAdded: Bool?

    /// What several attempts of one card in one wallet say together: a cardholder who got there at the second try got
    /// there.
    static func joined(_ verdicts: [AttemptVerdict]) -> AttemptVerdict {
        func join(_ values: [Bool?]) -> Bool? {
            values.contains(true) ? true : values.contains(false) ? false : nil
        }
        return AttemptVerdict(
            isHandedOff: join(verdicts.map(\.isHandedOff)), isActive: join(verdicts.map(\.isActive)),
            isAdded: join(verdicts.map(\.isAdded)))
    }
}

extension StoredProvisioning {
    /// The step that tells that the caller went away, or allowed less time than the gateway would have.
    public static let callerLeftStep = "caller_left"

    /// What the attempt says of the side that served it.
    ///
    /// An attempt of which nothing was heard for a day counts as failed: where a payload does not work on the device that
    /// is often all there is, and cardholders who walk away do so on both sides alike. A card in the wallet whose token
    /// nobody calls active says nothing of it here: for how long that may be so is for those who count (``SideQuery``).
    var verdict: AttemptVerdict {
        let isHandedOff = isHandedOff
        guard isHandedOff == true else { return AttemptVerdict(isHandedOff: isHandedOff) }
        switch status {
        case .active: return AttemptVerdict(isHandedOff: true, isActive: true, isAdded: true)
        case .added, .requested, .verificationRequired: return AttemptVerdict(isHandedOff: true, isAdded: true)
        case .declined, .abandoned: return AttemptVerdict(isHandedOff: true, isActive: false, isAdded: false)
        case .failed where !isDevicesOwn: return AttemptVerdict(isHandedOff: true, isActive: false, isAdded: false)
        case .failed, .cancelled, .handedOff, .sending, .refused, .unknown, .undelivered:
            return AttemptVerdict(isHandedOff: true)
        }
    }

    private var isHandedOff: Bool? {
        switch status {
        case .sending: return nil
        case .handedOff, .added, .requested, .verificationRequired, .active: return true
        case .refused, .unknown, .undelivered, .declined, .failed, .cancelled, .abandoned: break
        }
        if deliveredAt != nil { return true }
        // The handoff was there, and the caller was not.
        if handoffBytes != nil { return nil }
        // Without a failure, its instance was gone before it ended.
        guard let failure else { return false }
        return failure.isCausedHere && !timeline.contains { $0.step == Self.callerLeftStep } ? false : nil
    }

    /// Whether it failed on the device by what is the device's, the app's or the cardholder's own.
    private var isDevicesOwn: Bool {
        guard let word = timeline.last(where: { $0.step == "device_reason" })?.code,
            let reason = DeviceReason(rawValue: word)
        else { return false }
        switch reason {
        case .cancelledByCardholder, .cancelledBySystem, .walletUnsupported, .walletUnavailable, .noActiveWallet,
            .deviceUntrusted, .appMisconfigured, .verificationRequired:
            return true
        case .tokenNotFound, .tokenStateInvalid, .cardIneligible, .cardUnavailable, .declined, .tokenizationFailed,
            .deliveryTimedOut, .credentialsRefused, .payloadUnavailable, .operationFailed:
            return false
        }
    }
}

extension StoredFailure {
    /// Whether the processor or the gateway caused it. A request that was not right did not, nor a device that cannot
    /// hold the card, and a card that is in the wallet already is no failure.
    fileprivate var isCausedHere: Bool {
        switch code {
        case .alreadyProvisioned, .handshakeReused, .deviceIneligible: false
        default: code.retry(in: situation) != .fixRequest
        }
    }
}
