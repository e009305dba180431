internal import CLinux
internal import Glibc

/// The machine's processors, as far as this process may use them.
public enum Processors: Sendable {
    /// How many there are; at least one.
    public static var available: Int { max(Int(passgate_available_processors()), 1) }
}
