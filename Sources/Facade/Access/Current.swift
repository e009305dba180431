import ProviderKit
import Synchronization

/// What is in force now. Its parts change one at a time, and requests see it whole.
final class Current: Sendable {
    private let state: Mutex<(parts: InForce.Parts, value: InForce)>
    private let cryptography: any AdapterCryptography

    init(_ parts: InForce.Parts, cryptography: any AdapterCryptography) {
        state = Mutex((parts, InForce(parts, cryptography: cryptography)))
        self.cryptography = cryptography
    }

    /// What is in force.
    var value: InForce { state.withLock { $0.value } }

    /// Whether a key of the store is in force.
    var hasStoredKeys: Bool { state.withLock { !$0.parts.storedKeys.isEmpty } }

    /// Puts other parts in force.
    func change(_ body: (inout InForce.Parts) -> Void) {
        state.withLock { state in
            body(&state.parts)
            state.value = InForce(state.parts, cryptography: cryptography)
        }
    }
}
