extension ProvisioningStatus {
    /// The end of the gateway's own part of an attempt that leads here; nil where none does.
    var completion: StatusEvent? {
        switch self {
        case .refused: .refused
        case .unknown: .unknown
        case .undelivered: .undelivered
        case .handedOff: .handedOff
        default: nil
        }
    }

    /// Whether the gateway's own part of an attempt may end so.
    var isCompletion: Bool { completion != nil }

    /// Whether an attempt that stands here may be completed as `ending`. What a device or a token said stays.
    func canBeCompleted(as ending: ProvisioningStatus) -> Bool {
        ending.completion.map { after($0) != nil } ?? false
    }
}
