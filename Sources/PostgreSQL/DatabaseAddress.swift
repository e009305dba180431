internal import CPostgreSQL
public import SecretMemory

/// Where a database is and how it is reached, as libpq understands a `postgres://` URL.
public struct DatabaseAddress: Sendable {
    /// libpq's parameters. Any of them may hold a secret.
    let parameters: [String: SecretText]

    /// Reads a URL; nil where libpq does not understand it.
    ///
    /// What the URL leaves open is as libpq has it, and so from its environment, with these exceptions: the server must
    /// take changes, what it was told under the name `passgate` can be found there, and Kerberos is not tried.
    public init?(url: SecretText) {
        let text = url.reveal()
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else { return nil }
        var message: UnsafeMutablePointer<CChar>?
        // libpq's own words may quote the URL.
        defer { PQfreemem(message) }
        guard let options = PQconninfoParse(text, &message) else { return nil }
        defer { PQconninfoFree(options) }
        var parameters = [
            "target_session_attrs": "read-write", "application_name": "passgate", "gssencmode": "disable",
        ]
        .mapValues { SecretText($0) }
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                parameters[String(cString: keyword)] = SecretText(String(cString: value))
            }
            option += 1
        }
        parameters["client_encoding"] = SecretText("UTF8")
        self.parameters = parameters
    }

    /// The servers and the database, for people: no user and no secret.
    public var summary: String {
        let hosts = parameters["host"]?.reveal() ?? parameters["hostaddr"]?.reveal() ?? "the local server"
        return "\(hosts)/\(parameters["dbname"]?.reveal() ?? "")"
    }
}
