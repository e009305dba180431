import Gateway
import Provisioning

/// Reads the body of `POST /v1/event_destinations`.
enum DestinationBody {
    static let request = KnownMembers(
        ["url"], advice: ["secret": "is not known here; the gateway makes the secret, and shows it once"])

    /// The URL that a body holds.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody) throws(Problem) -> String {
        let findings = Findings()
        let reader = body.reader(known: request, findings: findings)
        reader.require("url")
        let url = reader.text("url", limit: 2048)
        try findings.throwAny()
        return url ?? ""
    }
}
