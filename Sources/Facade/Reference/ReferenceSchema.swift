import ProviderKit

/// A JSON schema as the page shows it: a row for each member, those of members within included.
struct ReferenceSchema {
    private static let depthLimit = 8

    private let schema: JSONView
    private let document: ReferenceDocument

    init(_ schema: JSONView, in document: ReferenceDocument) {
        self.schema = schema
        self.document = document
    }

    /// What it is for.
    var description: String { document.resolved(schema)["description"]?.string ?? "" }

    /// Its members as a table; where it has none, what it is.
    var html: String {
        let schema = document.resolved(schema)
        if let parts = schema["oneOf"]?.elements, schema["properties"] == nil {
            let items = parts.map { "<li>\(Self(resolvingNothing: $0, in: document).type)</li>\n" }
            let name = schema["discriminator"]?["propertyName"]?.string.map { " <code>\($0)</code> says which." } ?? ""
            return "<p>One of these.\(name)</p>\n<ul>\n\(items.joined())</ul>\n"
        }
        let rows = rows(of: schema, at: "", depth: 0)
        if !rows.isEmpty { return Self.table(rows) }
        let type = Self(resolvingNothing: schema, in: document).type
        return type == "object" ? "" : "<p>\(type)</p>\n"
    }

    private init(resolvingNothing schema: JSONView, in document: ReferenceDocument) { self.init(schema, in: document) }

    private func rows(of schema: JSONView, at path: String, depth: Int) -> [String] {
        guard depth < Self.depthLimit else { return [] }
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.string))
        let isRequest = schema["additionalProperties"]?.bool == false
        return (schema["properties"]?.members ?? []).flatMap { name, member -> [String] in
            let whole = path.isEmpty ? name : "\(path).\(name)"
            let note = required.contains(name) ? (isRequest ? "required" : "") : (isRequest ? "" : "not always there")
            let row = Self.row(
                whole, note: note, type: Self(member, in: document).type,
                text: member["description"]?.string ?? document.resolved(member)["description"]?.string ?? "")
            let inner = member["items"].map { (schema: $0, path: "\(whole)[]") } ?? (schema: member, path: whole)
            // What has a name has a place of its own.
            if ReferenceDocument.name(in: inner.schema) != nil { return [row] }
            return [row] + rows(of: inner.schema, at: inner.path, depth: depth + 1)
        }
    }

    /// The type in words, with links to named schemas.
    var type: String {
        if let name = ReferenceDocument.name(in: schema) { return "<a href=\"#schema-\(name)\">\(name)</a>" }
        if let parts = (schema["anyOf"] ?? schema["oneOf"])?.elements, schema["type"] == nil {
            return parts.map { Self($0, in: document).type }.joined(separator: " or ")
        }
        if let value = schema["const"] { return "<code>\(HTMLText.escape(ReferenceJSON(value).text))</code>" }
        if let words = schema["enum"]?.elements {
            return words.map { "<code>\(HTMLText.escape($0.string ?? "null"))</code>" }.joined(separator: " ")
        }
        return ([kind] + limits).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private var kind: String {
        let kinds = schema["type"].map { $0.elements?.compactMap(\.string) ?? [$0.string ?? ""] } ?? []
        return kinds.map { kind in
            if kind == "array", let items = schema["items"] { return "array of \(Self(items, in: document).type)" }
            if kind == "string", schema["format"]?.string == "date-time" { return "time" }
            return kind
        }.joined(separator: " or ")
    }

    private var limits: [String] {
        var limits: [String] = []
        if let length = schema["maxLength"]?.integer { limits.append("at most \(length) characters") }
        if let count = schema["maxItems"]?.integer { limits.append("at most \(count)") }
        if let count = schema["maxProperties"]?.integer { limits.append("at most \(count) members") }
        let isText = schema["type"]?.string == "string" || schema["maxLength"] != nil
        if !isText, let least = schema["minimum"] { limits.append("from \(ReferenceJSON(least).text)") }
        if !isText, let most = schema["maximum"] { limits.append("to \(ReferenceJSON(most).text)") }
        return limits
    }

    /// A table of rows.
    static func table(_ rows: [String]) -> String {
        """
        <table class="members">
        <thead><tr><th scope="col">Name</th><th scope="col">What it is</th></tr></thead>
        <tbody>
        \(rows.joined())</tbody>
        </table>

        """
    }

    /// A row of a table. `type` is HTML already.
    static func row(_ name: String, note: String, type: String, text: String) -> String {
        """
        <tr><th scope="row"><code>\(HTMLText.escape(name))</code>\(note.isEmpty ? "" : " <span>\(note)</span>")</th>\
        <td><span class="type">\(type)</span> \(HTMLText(text))</td></tr>

        """
    }
}
