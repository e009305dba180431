import ProviderKit

/// What a page needs of an OpenAPI document.
struct ReferenceDocument {
    /// A group of operations.
    struct Tag {
        let name: String
        let description: String
    }

    let root: JSONView

    /// What the API is, in one sentence.
    var summary: String { root["info"]?["summary"]?.string ?? "" }

    /// What holds for every request and answer, a paragraph each.
    var about: [String] {
        (root["info"]?["description"]?.string ?? "").split(separator: "\n\n").map(String.init)
    }

    /// How a caller shows who it is.
    var authentication: String {
        root["components"]?["securitySchemes"]?.members?.first?.value["description"]?.string ?? ""
    }

    /// The groups, in order.
    var tags: [Tag] {
        (root["tags"]?.elements ?? []).map {
            Tag(name: $0["name"]?.string ?? "", description: $0["description"]?.string ?? "")
        }
    }

    /// The named schemas, in order.
    var schemas: [(name: String, value: JSONView)] { root["components"]?["schemas"]?.members ?? [] }

    /// A group's operations: those of the paths, then the webhooks.
    func operations(of tag: String) -> [ReferenceOperation] {
        operations.filter { $0.tag == tag }
    }

    private var operations: [ReferenceOperation] {
        let served = root["paths"]?.members ?? []
        let sent = root["webhooks"]?.members ?? []
        return (served.map { ($0.name, $0.value) } + sent.map { ("to the destination's URL", $0.value) }).flatMap {
            (path, item) in
            (item.members ?? []).map { ReferenceOperation(method: $0.name.uppercased(), path: path, value: $0.value) }
        }
    }

    /// What a reference leads to, or the value itself where it is none.
    func resolved(_ value: JSONView) -> JSONView {
        guard let reference = value["$ref"]?.string else { return value }
        var place: JSONView? = root
        for name in reference.split(separator: "/").dropFirst() { place = place?[String(name)] }
        return place ?? value
    }

    /// The name of the schema that a value refers to; nil where it is no reference.
    static func name(in value: JSONView) -> String? {
        value["$ref"]?.string?.split(separator: "/").last.map(String.init)
    }
}
