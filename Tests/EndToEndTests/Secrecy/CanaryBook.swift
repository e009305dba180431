import Foundation
import ProviderTesting
import SecretMemory
import Synchronization

/// Values that are looked for afterwards, each with the place that it was put into. No two are alike.
final class CanaryBook: Sendable {
    /// A value, and where it was put.
    struct Canary: Sendable {
        /// Such as `request member` or `processor's answer`.
        let kind: String
        /// Such as `/google_pay/wallet_id`.
        let place: String
        let secret: SecretBytes
    }

    private let state: Mutex<(random: DeterministicRandom, canaries: [Canary], answers: Data)>

    init(seed: UInt64) { state = Mutex((DeterministicRandom(seed: seed), [], Data())) }

    /// All of them.
    var canaries: [Canary] { state.withLock(\.canaries) }
    /// Every answer that holds no handoff, one after the other.
    var answers: Data { state.withLock(\.answers) }

    /// A new card number: sixteen digits that pass Luhn's check.
    func number(_ kind: String, _ place: String) -> String {
        state.withLock { state in
            var digits = [4] + (0..<14).map { _ in Int.random(in: 0...9, using: &state.random) }
            let sum = digits.reversed().enumerated().reduce(0) { sum, next in
                let doubled = next.element * (next.offset.isMultiple(of: 2) ? 2 : 1)
                return sum + doubled / 10 + doubled % 10
            }
            digits.append((10 - sum % 10) % 10)
            let text = digits.map(String.init).joined()
            state.canaries.append(Canary(kind: kind, place: place, secret: SecretBytes(utf8: text)))
            return text
        }
    }

    /// Takes a value that is a secret by itself.
    func add(_ kind: String, _ place: String, _ secret: SecretBytes) {
        guard secret.count >= 12 else { return }
        state.withLock { $0.canaries.append(Canary(kind: kind, place: place, secret: secret)) }
    }

    /// Keeps an answer, to be searched as well.
    func keep(_ answer: SecretBytes) {
        state.withLock { $0.answers += Data(answer.reveal()) + Data("\n".utf8) }
    }
}
