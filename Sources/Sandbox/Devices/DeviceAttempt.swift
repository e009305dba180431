public import ProviderKit
public import SecretMemory

/// One attempt of a device: the handshake that it gave, and how it finishes.
public protocol DeviceAttempt: Sendable {
    /// Writes the handshake as a member of a provisioning request, such as `apple_pay`.
    func writeHandshake(into json: inout JSONWriter)

    /// What must be found in no log and no store after the attempt.
    var secrets: [SecretBytes] { get }

    /// Finishes with the facade's handoff: opens what it holds, and checks it.
    ///
    /// - Throws: ``DeviceFailure``, where the bytes are not those that the network made for this attempt.
    func finish(_ handoff: JSONView) throws(DeviceFailure) -> DeviceVerdict
}
