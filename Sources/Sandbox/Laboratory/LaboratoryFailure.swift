/// Why something in the laboratory could not be shown. It quotes no secret.
public struct LaboratoryFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, in a plain sentence.
    public let description: String

    /// Makes a failure of its sentence.
    public init(_ description: String) { self.description = description }
}
