import Foundation
public import ProviderKit
public import Provisioning

/// The system's clock, as emulators and simulated devices read it.
public struct SandboxClock: WallClock {
    /// A clock.
    public init() {}

    /// The moment now, by the system's clock.
    public var now: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}

extension Timestamp {
    /// The moment in RFC 3339 with whole seconds, as most processors write it.
    public var wholeSecondsText: String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
