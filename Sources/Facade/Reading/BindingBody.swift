import Gateway
import Provisioning
import Storage

/// Reads the body of `PUT /v1/cards/{card}/bindings/{connection}`.
enum BindingBody {
    /// The binding that a body holds, and what it is to be used for.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody, connection: String) throws(Problem) -> (
        binding: CardBinding, state: StoredBinding.State
    ) {
        let findings = Findings()
        let reader = body.reader(known: BindingMembers.knownOfConnection, findings: findings)
        let binding = BindingMembers.read(reader, at: connection)
        reader.require("state")
        let state: StoredBinding.State? = reader.word("state")
        try findings.throwAny()
        guard let binding, let state else { throw Problem(.invalidRequest) }
        return (binding, state)
    }
}
