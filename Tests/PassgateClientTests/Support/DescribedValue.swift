import Foundation
import PassgateContract

/// Makes values that the API's description allows.
struct DescribedValue {
    private let schemas: [String: JSONValue]
    /// Whether every member is there that may be; else what may be null is, and what may be absent is.
    var isFull = true

    init(description: JSONValue) throws {
        guard let schemas = description["components"]?["schemas"]?.members else {
            throw CocoaError(.fileReadCorruptFile)
        }
        self.schemas = schemas
    }

    var names: Set<String> { Set(schemas.keys) }

    func value(of name: String) -> JSONValue { schemas[name].map(value) ?? .null }

    private func value(_ schema: JSONValue) -> JSONValue {
        if let name = schema["$ref"]?.text?.split(separator: "/").last { return value(of: String(name)) }
        if let constant = schema["const"] { return constant }
        let types = schema["type"]?.elements?.compactMap(\.text) ?? [schema["type"]?.text].compactMap(\.self)
        if types == ["null"] || !isFull && types.contains("null") { return .null }
        if let words = schema["enum"]?.elements { return words.first { $0 != .null } ?? .null }
        if let alternative = (schema["oneOf"] ?? schema["anyOf"])?.elements?.first, types.isEmpty {
            return value(alternative)
        }
        switch types.first(where: { $0 != "null" }) {
        case "object": return object(schema)
        case "array": return .array(schema["items"].map { [value($0)] } ?? [])
        case "integer": return .integer(500)
        case "number": return .number(0.5)
        case "boolean": return .flag(true)
        default: return .text(schema["format"]?.text == "date-time" ? "2026-11-30T12:00:00.000Z" : "x")
        }
    }

    private func object(_ schema: JSONValue) -> JSONValue {
        let required = schema["required"]?.elements?.compactMap(\.text) ?? []
        // Alternatives that each require a member of their own: the first is taken.
        let alternatives = schema["oneOf"]?.elements?.map { $0["required"]?.elements?.compactMap(\.text) ?? [] } ?? []
        let excluded = Set(alternatives.dropFirst().joined()).subtracting(alternatives.first ?? [])
        let members = (schema["properties"]?.members ?? [:]).filter { name, _ in
            !excluded.contains(name)
                && (isFull || required.contains(name) || alternatives.first?.contains(name) == true)
        }
        return .object(members.mapValues(value))
    }
}

extension JSONValue {
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    subscript(_ name: String) -> JSONValue? { members?[name] }
}
