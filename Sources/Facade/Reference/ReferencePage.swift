import Assets
import Crypto
import JSON
import ProviderKit
import Provisioning
import SecretMemory

/// The API's description as one page for people. It is made once, of the very file that `/openapi.json` serves: no
/// second text can differ from it. It loads nothing, and is whole without its script, which only searches.
struct ReferencePage {
    /// The page.
    static let shared = ReferencePage(Asset.apiDescription.text)

    /// The page's text.
    let html: String
    /// Its entity tag, with the quotes.
    let tag: String

    /// Nothing may load, frame or be sent; only this very style sheet and this very script count.
    static let policy = """
        default-src 'none'; style-src '\(hash(Asset.referenceStyle.text))'; \
        script-src '\(hash(Asset.referenceScript.text))'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    private static func hash(_ text: String) -> String {
        "sha256-\(Base64.encode(SHA256.digest(of: Array(text.utf8))))"
    }

    /// Makes the page of a description; an empty one of what is none.
    init(_ description: String) {
        let document = try? JSONParser().parse(SecretBytes(utf8: description))
        html = document.map { Self.page(ReferenceDocument(root: $0.root)) } ?? ""
        tag = APIDescription.entityTag(of: Array(html.utf8))
    }

    private static func page(_ document: ReferenceDocument) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Passgate API</title>
        <style>\(Asset.referenceStyle.text)</style>
        </head>
        <body>
        <a class="skip" href="#content">To the content</a>
        <nav aria-label="Operations">
        <p class="search" hidden><label for="search">Search</label> <input id="search" type="search" autocomplete="off" \
        spellcheck="false"></p>
        <p id="none" hidden>Nothing is called so.</p>
        \(document.tags.map { navigation($0, in: document) }.joined())\
        <h2>More</h2>
        <ul><li><a href="#about">About requests and answers</a></li><li><a href="#codes">Error codes</a></li>\
        <li><a href="#schemas">Schemas</a></li><li><a href="openapi.json">openapi.json</a></li></ul>
        </nav>
        <main id="content">
        <h1>Passgate API</h1>
        \(about(document))\(document.tags.map { section($0, in: document) }.joined())\
        \(codes(document))\(schemas(document))</main>
        <script>\(Asset.referenceScript.text)</script>
        </body>
        </html>

        """
    }

    private static func navigation(_ tag: ReferenceDocument.Tag, in document: ReferenceDocument) -> String {
        let entries = document.operations(of: tag.name).map { operation in
            """
            <li data-words="\(operation.words)"><a href="#\(operation.id)">\(HTMLText(operation.summary))</a></li>

            """
        }
        return "<h2>\(HTMLText(tag.name))</h2>\n<ul>\n\(entries.joined())</ul>\n"
    }

    private static func about(_ document: ReferenceDocument) -> String {
        let paragraphs = document.about.map { "<p>\(HTMLText($0))</p>\n" }
        return """
            <section id="about">
            <h2>About requests and answers</h2>
            <p>\(HTMLText(document.summary))</p>
            \(paragraphs.joined())<h3>The key</h3>
            <p>\(HTMLText(document.authentication))</p>
            </section>

            """
    }

    private static func section(_ tag: ReferenceDocument.Tag, in document: ReferenceDocument) -> String {
        let operations = document.operations(of: tag.name).map { $0.html(in: document) }
        return "<section>\n<h2>\(HTMLText(tag.name))</h2>\n<p>\(HTMLText(tag.description))</p>\n"
            + "\(operations.joined())</section>\n"
    }

    /// The catalogue of codes, each with what it leads to.
    private static func codes(_ document: ReferenceDocument) -> String {
        let rows = ProblemCode.allCases.map { code in
            """
            <tr id="code-\(code.rawValue)" data-words="\(code.rawValue) \(code.entry.status)">\
            <th scope="row"><a href="errors/\(code.rawValue)"><code>\(code.rawValue)</code></a> \(code.entry.status)</th>\
            <td>\(HTMLText(code.entry.meaning)) \(HTMLText(code.whatToDo))</td></tr>

            """
        }
        return """
            <section id="codes">
            <h2>Error codes</h2>
            <p>Every problem has one of these as its <code>code</code>, and leads to the code’s page by its \
            <code>type</code>.</p>
            <table class="members">
            <thead><tr><th scope="col">Code</th><th scope="col">What it means, and what to do</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody>
            </table>
            </section>

            """
    }

    private static func schemas(_ document: ReferenceDocument) -> String {
        let articles = document.schemas.map { schema in
            """
            <article id="schema-\(schema.name)" data-words="\(schema.name.lowercased())">
            <h3>\(schema.name) <a class="anchor" href="#schema-\(schema.name)">#</a></h3>
            <p>\(HTMLText(schema.value["description"]?.string ?? ""))</p>
            \(ReferenceSchema(schema.value, in: document).html)</article>

            """
        }
        return "<section id=\"schemas\">\n<h2>Schemas</h2>\n\(articles.joined())</section>\n"
    }
}
