import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory

/// What `/errors/{code}` says of a code: the page that every problem's `type` leads to.
enum ProblemPage {
    /// The page for programs.
    static func json(_ code: ProblemCode, publicURL: String) -> HTTPResponse {
        let entry = code.entry
        var json = JSONWriter()
        json.object { json in
            json.member("object", "problem_type")
            json.member("type", "\(publicURL)/errors/\(code.rawValue)")
            json.member("code", code.rawValue)
            json.member("status", entry.status)
            json.member("title", entry.title)
            json.member("meaning", entry.meaning)
            json.member("what_to_do", code.whatToDo)
            json.member("user_message_key", code.userMessageKey)
            json.member(
                "retry",
                object: { json in
                    for situation in RetrySituation.allCases {
                        json.member(situation.rawValue, entry.retry[situation]?.rawValue)
                    }
                })
        }
        return answer(json.finish(), type: "application/json")
    }

    /// The page for people: one file without a script, an image or a font, for any screen, light or dark.
    static func html(_ code: ProblemCode) -> HTTPResponse {
        let entry = code.entry
        let rows = RetrySituation.allCases.compactMap { situation in
            entry.retry[situation].map { retry in
                """
                <tr><th scope="row">\(situation.words)</th><td><code>\(retry.rawValue)</code> \
                \(HTMLText(retry.whatToDo))</td></tr>

                """
            }
        }
        let page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(HTMLText(entry.title)) · Passgate</title>
            <style>\(ProblemStyle.sheet)</style>
            </head>
            <body>
            <main>
            <p class="code"><code>\(code.rawValue)</code> <span>HTTP \(entry.status)</span></p>
            <h1>\(HTMLText(entry.title))</h1>
            <p class="meaning">\(HTMLText(entry.meaning))</p>
            <h2>What to do</h2>
            <p>\(HTMLText(code.whatToDo))</p>
            <h2>May it be sent again?</h2>
            <table>
            <thead><tr><th scope="col">What had happened</th><th scope="col">The problem’s <code>retry</code></th></tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table>
            <p class="note">For the cardholder’s text, translate <code>\(code.userMessageKey)</code>. The same as JSON: \
            send <code>Accept: application/json</code>.</p>
            </main>
            </body>
            </html>

            """
        var response = answer(SecretBytes(utf8: page), type: "text/html; charset=utf-8")
        response.headers.append((name: "Content-Security-Policy", value: ProblemStyle.policy))
        response.headers.append((name: "Referrer-Policy", value: "no-referrer"))
        return response
    }

    private static func answer(_ body: SecretBytes, type: String) -> HTTPResponse {
        var response = Rendering.body(body, type: type)
        response.headers.append((name: "Vary", value: "Accept"))
        response.headers.append((name: "X-Content-Type-Options", value: "nosniff"))
        return response
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
