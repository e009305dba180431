import ProviderKit
import Provisioning
import SecretMemory

/// What `/errors/{code}` says of a code: the page that every problem's `type` leads to.
enum ProblemPage {
    /// The page as JSON.
    static func json(_ code: ProblemCode, publicURL: String) -> SecretBytes {
        let entry = code.entry
        var json = JSONWriter()
        json.object { json in
            json.member("object", "problem_type")
            json.member("type", "\(publicURL)/errors/\(code.rawValue)")
            json.member("code", code.rawValue)
            json.member("status", entry.status)
            json.member("title", entry.title)
            json.member("meaning", entry.meaning)
            json.member("user_message_key", code.userMessageKey)
            json.member(
                "retry",
                object: { json in
                    for situation in RetrySituation.allCases {
                        json.member(situation.rawValue, entry.retry[situation]?.rawValue)
                    }
                })
        }
        return json.finish()
    }

    /// The page for people. All of it comes from the catalogue, so nothing needs to be escaped.
    static func html(_ code: ProblemCode) -> SecretBytes {
        let entry = code.entry
        let rows = RetrySituation.allCases.compactMap { situation in
            entry.retry[situation].map { retry in
                "<tr><td>\(situation.words)</td><td><code>\(retry.rawValue)</code></td></tr>\n"
            }
        }
        return SecretBytes(
            utf8: """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8"><title>\(entry.title)</title></head>
                <body><h1>\(entry.title)</h1>
                <p><code>\(code.rawValue)</code>, HTTP \(entry.status)</p>
                <p>\(entry.meaning)</p>
                <table><tr><th>What had happened</th><th>What to do</th></tr>
                \(rows.joined())</table></body></html>

                """)
    }
}

extension RetrySituation {
    /// For people.
    fileprivate var words: String {
        switch self {
        case .notSent: "Nothing was sent to the processor"
        case .sentRepeatable: "It was sent, and may be sent again"
        case .sentSingleUse: "It was sent, and its handshake is spent"
        }
    }
}
