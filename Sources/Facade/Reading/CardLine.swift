public import Gateway
public import ProviderKit
public import Provisioning
public import SecretMemory
public import Storage

/// Reads one line of an import: a card in the shape of `PUT /v1/cards/{card}`, with its `id`.
public enum CardLine {
    /// The card that a line holds.
    ///
    /// - Throws: `malformed_json` unless it is one JSON object in UTF-8; `invalid_request` with every member at fault.
    public static func read(
        _ line: SecretBytes, program: String, with json: any JSONParsing, at now: Timestamp
    ) throws(Problem) -> CardDraft {
        let body: RequestBody
        do throws(Problem) { body = try RequestBody(line, with: json) } catch {
            guard error.code == .malformedJSON else { throw error }
            throw Problem(.malformedJSON, detail: "The line is not one JSON object in UTF-8.")
        }
        return try CardBody.readLine(body, program: program, at: now)
    }
}
