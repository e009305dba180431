public import Provisioning

/// What settled an attempt's status after the gateway's own part in it.
public struct StoredSettlement: Sendable, Equatable {
    /// Who may have the last word.
    public enum Source: String, Sendable, CaseIterable {
        /// The device, through the platform.
        case device
        /// The processor, when it was asked for the card's tokens.
        case probe
        /// The processor, by itself.
        case webhook
        /// Nobody: a day passed without a word.
        case time
    }

    /// Who had the last word.
    public var source: Source
    /// When.
    public var at: Timestamp

    /// Makes a settlement of its members.
    public init(source: Source, at: Timestamp) {
        self.source = source
        self.at = at
    }
}
