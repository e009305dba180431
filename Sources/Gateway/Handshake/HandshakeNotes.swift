import Provisioning
import SecretMemory
import Storage

/// What was found while a handshake was read: repairs and warnings for the answer, faults that refuse it.
struct HandshakeNotes: Sendable {
    var repairs: [StoredRepair] = []
    var warnings: [StoredRepair] = []
    var faults: [MemberProblem] = []
    /// The code of the first fault.
    private(set) var code: ProblemCode?

    mutating func repair(_ pointer: String, _ word: String) {
        repairs.append(StoredRepair(pointer: pointer, word: word))
    }

    mutating func warn(_ pointer: String, _ word: String) {
        warnings.append(StoredRepair(pointer: pointer, word: word))
    }

    mutating func refuse(_ pointer: String, _ detail: String, code: ProblemCode = .handshakeInvalid) {
        faults.append(MemberProblem(pointer: pointer, code: code.rawValue, detail: detail))
        self.code = self.code ?? code
    }

    /// Throws what refuses the handshake, all at once.
    func throwFaults() throws(Problem) {
        guard let code else { return }
        throw Problem(code, errors: faults, outcome: .notSent)
    }
}
