public import Provisioning

/// What a device said of an attempt, through the platform.
public struct DeviceReport: Sendable {
    /// What became of it on the device.
    public enum Result: String, Sendable, CaseIterable {
        /// The card is in the wallet.
        case added
        /// The cardholder cancelled.
        case cancelled
        /// It failed.
        case failed

        /// The event that it is.
        public var event: StatusEvent {
            switch self {
            case .added: .deviceAdded
            case .cancelled: .deviceCancelled
            case .failed: .deviceFailed
            }
        }
    }

    /// The attempt.
    public var id: String
    /// Its program.
    public var program: String
    /// What became of it.
    public var result: Result
    /// The device's code for an error, a word or a number.
    public var code: String?
    /// The domain of the code, a word.
    public var domain: String?
    /// When the report came.
    public var at: Timestamp

    /// Makes a report of its members.
    public init(id: String, program: String, result: Result, code: String?, domain: String?, at: Timestamp) {
        self.id = id
        self.program = program
        self.result = result
        self.code = code
        self.domain = domain
        self.at = at
    }

    /// What the device's code means; nil where there is none, or one that is not known.
    public var reason: DeviceReason? { code.flatMap { DeviceVocabulary.reason(of: $0, in: domain) } }
}
