import Assets
import JSON
import ProviderKit
import SecretMemory

/// `Contracts/openapi.json` as tests look at it.
struct Description: Sendable {
    /// An operation with its place.
    struct Operation: Sendable {
        let method: String
        let path: String
        let value: JSONView
    }

    let root: JSONView

    init() throws { root = try JSONParser().parse(SecretBytes(Asset.apiDescription.bytes)).root }

    /// The operations that the gateway serves.
    var operations: [Operation] {
        (root["paths"]?.members ?? []).flatMap { path, item in
            (item.members ?? []).map { Operation(method: $0.name.uppercased(), path: path, value: $0.value) }
        }
    }

    /// The value at a place such as `components/schemas/Card/properties`; what is referred to counts as being there.
    func value(_ path: String) -> JSONView? { value(path.split(separator: "/").map(String.init), in: root) }

    func resolved(_ value: JSONView) -> JSONView {
        guard let reference = value["$ref"]?.string else { return value }
        return self.value(String(reference.dropFirst(2))) ?? value
    }

    /// A schema's own member, at a place such as `CardInput/cardholder`.
    func schema(_ path: String) -> JSONView? {
        let names = path.split(separator: "/").map(String.init)
        return names.dropFirst().reduce(value("components/schemas/\(names[0])")) { schema, name in
            guard let schema else { return nil }
            if name == "[]" { return schema["items"].map(resolved) }
            return schema["properties"]?[name].map(whole)
        }
    }

    /// The words that a schema's enum or constant has, null aside.
    func words(_ path: String) -> [String] {
        guard let schema = schema(path) else { return [] }
        return schema["enum"]?.elements?.compactMap(\.string) ?? schema["const"]?.string.map { [$0] } ?? []
    }

    /// An operation's parameters in a place.
    func parameters(of operation: Operation, in place: String) -> [String] {
        (operation.value["parameters"]?.elements ?? []).map(resolved).filter { $0["in"]?.string == place }
            .compactMap { $0["name"]?.string }
    }

    /// The schema behind a reference, and behind one that may be null instead.
    private func whole(_ schema: JSONView) -> JSONView {
        let parts = schema["anyOf"]?.elements ?? []
        return resolved(parts.first { $0["$ref"] != nil } ?? schema)
    }

    private func value(_ names: [String], in place: JSONView) -> JSONView? {
        names.reduce(place) { place, name in place?[name].map(resolved) }
    }
}
