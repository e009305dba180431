import Gateway
import ProviderKit
import Provisioning
import Storage

/// Reads the body of `POST /v1/provisionings/{id}/outcome`.
enum OutcomeBody {
    static let request = KnownMembers(["result", "error"])
    static let error = KnownMembers(["domain", "code", "message"])

    /// The report that a body holds. Of an error, only what is a plain word or a whole number is kept, and its message
    /// never: it may say anything.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody, id: String, program: String, at now: Timestamp) throws(Problem)
        -> DeviceReport
    {
        let findings = Findings()
        let reader = body.reader(known: request, findings: findings)
        reader.require("result")
        let result: DeviceReport.Result? = reader.word("result")
        let error = reader.object("error", known: error)
        _ = error?.secret("message", limit: 4096, allowsLines: true)
        let report = DeviceReport(
            id: id, program: program, result: result ?? .failed, code: error.flatMap(readCode),
            domain: error?.secret("domain", limit: 1024, allowsLines: true).flatMap { plainWord($0.reveal()) }, at: now)
        try findings.throwAny()
        return report
    }

    private static func readCode(_ reader: ObjectReader) -> String? {
        guard let value = reader.value("code") else { return nil }
        if value.integer != nil { return reader.exactNumber("code").flatMap { plainWord(String($0)) } }
        guard value.kind == .string else {
            reader.refuse("code", "wrong_type", "must be a text or a whole number")
            return nil
        }
        return reader.secret("code", limit: 1024, allowsLines: true).flatMap { plainWord($0.reveal()) }
    }

    /// The text where it has the form of a code and holds no card number.
    private static func plainWord(_ text: String) -> String? { UpstreamReport(status: nil, code: text).code }
}
