import Provisioning

/// One promise that every provider keeps. Knows nothing of a test framework.
///
/// The list follows from the descriptor: who offers a wallet is held to all that the contract says of it.
public struct Requirement<Harness: ProviderHarness>: Sendable, CustomStringConvertible {
    /// What came of a check that found nothing wrong.
    public enum Verdict: Sendable, Equatable {
        /// The promise is kept.
        case kept
        /// It was not checked, for that reason.
        case notRun(String)
    }

    /// The promise as a sentence.
    public let description: String
    /// Checks it.
    public let verify: @Sendable (Harness) async throws -> Verdict

    init(_ description: String, verify: @escaping @Sendable (Harness) async throws -> Verdict) {
        self.description = description
        self.verify = verify
    }

    /// Every promise.
    public static var all: [Self] {
        let operations = Operation.all(of: Harness.Provider.descriptor)
        let answered = operations.flatMap { operation in
            Situation.allCases.compactMap { answers($0, for: operation) }
        }
        return [describesItself()] + answered + operations.flatMap { conduct(in: $0) } + credentials(in: operations)
            + tokens(in: operations) + credentialCheck(in: operations)
    }

    /// The promises of those whose SDK needs credentials beside provisioning.
    private static func credentials(in operations: [Operation]) -> [Self] {
        guard Harness.Provider.self is any WalletCredentials.Type, let operation = operations.first else { return [] }
        return [hasTheCredentialsThatItLists(for: operation)]
    }

    /// The promises on how a provider behaves, whatever upstream says.
    private static func conduct(in operation: Operation) -> [Self] {
        var promises = [
            callsOnce(for: operation), keepsForeignIDsOut(for: operation), keepsSecrets(for: operation),
            bearsOverlap(for: operation), stopsWhenCancelled(for: operation),
        ]
        if case .provision(let row) = operation, row.handshake != .none {
            promises.append(needsItsHandshake(for: operation))
        }
        return promises
    }
}
