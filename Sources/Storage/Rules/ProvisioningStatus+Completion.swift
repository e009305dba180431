extension ProvisioningStatus {
    /// Whether the gateway's own part of an attempt may end so.
    var isCompletion: Bool {
        switch self {
        case .refused, .unknown, .undelivered, .handedOff: true
        default: false
        }
    }

    /// Whether an attempt that stands here may be completed as `ending`.
    ///
    /// An `unknown` may be the sweep's: the instance that ran the attempt knows better. What a device or a token said
    /// since then stays.
    func canBeCompleted(as ending: ProvisioningStatus) -> Bool {
        switch self {
        case .sending, .unknown: ending.isCompletion
        default: false
        }
    }
}
