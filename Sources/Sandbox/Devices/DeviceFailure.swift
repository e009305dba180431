/// Why a simulated device could not go on. It quotes no secret.
public struct DeviceFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, in a plain sentence.
    public let description: String

    /// Makes a failure of its sentence.
    public init(_ description: String) { self.description = description }
}
