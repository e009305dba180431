import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory

/// A request's JSON object.
struct RequestBody {
    private let root: JSONView
    private let members: [(name: String, value: JSONView)]

    /// Parses a body.
    ///
    /// - Throws: `malformed_json` unless it is one JSON object in UTF-8; `payload_too_large`.
    init(_ bytes: SecretBytes, with parser: any JSONParsing) throws(Problem) {
        let document: JSONDocument
        do throws(JSONFault) { document = try parser.parse(bytes) } catch {
            switch error {
            case .malformed: throw Problem(.malformedJSON)
            case .tooDeep: throw Problem(.malformedJSON, detail: "The body is nested too deeply.")
            case .tooLarge: throw Problem(.payloadTooLarge)
            }
        }
        root = document.root
        guard let members = root.members else { throw Problem(.malformedJSON) }
        self.members = members
    }

    /// Begins to read it.
    func reader(known: KnownMembers, findings: Findings) -> ObjectReader {
        ObjectReader(members, at: "", known: known, findings: findings)
    }

    /// The body in one form for all that mean the same. It may hold secrets.
    var canonical: SecretBytes { root.canonical }
}
