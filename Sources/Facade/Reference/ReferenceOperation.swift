import ProviderKit
import SecretMemory

/// An operation as the page shows it.
struct ReferenceOperation {
    let method: String
    let path: String
    let value: JSONView

    /// Its id, which is its anchor.
    var id: String { value["operationId"]?.string ?? "" }
    var summary: String { value["summary"]?.string ?? "" }
    var tag: String { value["tags"]?.elements?.first?.string ?? "" }

    /// What it is found by.
    var words: String {
        let scope = value["x-scope"]?.string ?? ""
        return HTMLText.escape("\(id) \(method) \(path) \(summary) \(scope)".lowercased())
    }

    /// The whole article.
    func html(in document: ReferenceDocument) -> String {
        """
        <article id="\(id)" data-words="\(words)">
        <h3>\(HTMLText(summary)) <a class="anchor" href="#\(id)">#</a></h3>
        <p class="route"><b>\(method)</b> <code>\(HTMLText.escape(path))</code></p>
        <p>\(HTMLText(value["description"]?.string ?? ""))</p>
        \(access)\(parameters(document))\(body(document))\(answers(document))\(problems(document))</article>

        """
    }

    private var access: String {
        if let scope = value["x-scope"]?.string {
            return "<p class=\"scope\">Scope <code>\(HTMLText.escape(scope))</code></p>\n"
        }
        let isOpen = value["security"]?.elements?.isEmpty ?? false
        return "<p class=\"scope\">\(isOpen ? "No key" : "Any key")</p>\n"
    }

    private func parameters(_ document: ReferenceDocument) -> String {
        let rows = (value["parameters"]?.elements ?? []).map { parameter in
            let parameter = document.resolved(parameter)
            let place = parameter["in"]?.string ?? ""
            let name = parameter["name"]?.string ?? ""
            let isRequired = place != "path" && parameter["required"]?.bool == true
            return ReferenceSchema.row(
                name, note: isRequired ? "\(place), required" : place,
                type: parameter["schema"].map { ReferenceSchema($0, in: document).type } ?? "",
                text: parameter["description"]?.string ?? "")
        }
        return rows.isEmpty ? "" : "<h4>Parameters</h4>\n\(ReferenceSchema.table(rows))"
    }

    private func body(_ document: ReferenceDocument) -> String {
        guard let body = value["requestBody"], let content = body["content"]?.members?.first else { return "" }
        let schema = content.value["schema"].map { ReferenceSchema($0, in: document) }
        let isEvent = content.value["schema"].flatMap(ReferenceDocument.name) == "Event"
        let examples = (content.value["examples"]?.members ?? []).map { example in
            Self.example(
                example.value["summary"]?.string ?? example.name, example.value["value"] ?? example.value)
        }
        let text = body["description"]?.string ?? schema?.description ?? ""
        return """
            <h4>Body <code>\(HTMLText.escape(content.name))</code></h4>
            <p>\(HTMLText(text))</p>
            \(isEvent ? "<p>\(schema?.type ?? "")</p>\n" : schema?.html ?? "")\(examples.joined())
            """
    }

    /// The answers that are no problem.
    private func answers(_ document: ReferenceDocument) -> String {
        let answers = (value["responses"]?.members ?? []).compactMap { status, answer -> String? in
            let answer = document.resolved(answer)
            let content = answer["content"]?.members ?? []
            if content.contains(where: { $0.name == "application/problem+json" }) { return nil }
            let types = content.map { media in
                "<code>\(HTMLText.escape(media.name))</code> "
                    + (media.value["schema"].map { ReferenceSchema($0, in: document).type } ?? "")
            }
            let example = content.compactMap { $0.value["example"] }.first.map { Self.example("Example", $0) }
            let text = HTMLText(answer["description"]?.string ?? "")
            let list = types.isEmpty ? "" : " \(types.joined(separator: ", "))"
            return "<p><b class=\"status\">\(status)</b> \(text)\(list)</p>\n\(example ?? "")"
        }
        return "<h4>Answers</h4>\n\(answers.joined())"
    }

    /// The codes, by status.
    private func problems(_ document: ReferenceDocument) -> String {
        let rows = (value["responses"]?.members ?? []).compactMap { status, answer -> String? in
            let schema = document.resolved(answer)["content"]?["application/problem+json"]?["schema"]
            let codes = (schema?["allOf"]?.elements ?? []).compactMap { $0["properties"]?["code"]?["enum"]?.elements }
            let links = codes.joined().compactMap(\.string).map { code in
                "<a href=\"#code-\(code)\"><code>\(code)</code></a>"
            }
            return links.isEmpty ? nil : "<li><b class=\"status\">\(status)</b> \(links.joined(separator: " "))</li>\n"
        }
        if rows.isEmpty { return "" }
        return "<details><summary>Problems</summary>\n<ul class=\"codes\">\n\(rows.joined())</ul>\n</details>\n"
    }

    private static func example(_ title: String, _ value: JSONView) -> String {
        let text = value.string ?? ReferenceJSON(value).text
        return
            "<details><summary>\(HTMLText(title))</summary>\n<pre><code>\(HTMLText.escape(text))</code></pre>\n</details>\n"
    }
}
