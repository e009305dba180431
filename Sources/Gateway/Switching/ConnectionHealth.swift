/// How a connection is, as far as this instance has seen.
public enum ConnectionHealth: String, Sendable, CaseIterable {
    /// Nothing was asked of it yet.
    case unknown
    /// Its last answer was one.
    case ok
    /// Its last call failed.
    case failing
    /// It has failed repeatedly, and is being left alone.
    case leftAlone = "left_alone"
}
