public import ProviderKit
public import SecretMemory

/// How a body is changed on its way, for ``Situation/membersUnheardOf`` and ``Situation/wrongTypes``.
public enum Rewriting: Sendable, Equatable {
    /// Not at all.
    case none
    /// Every object gets members that nobody has seen.
    case unknownMembers
    /// Every text becomes a number, and every number a text.
    case wrongTypes
}

extension JSONView {
    /// The value as a JSON text, members in their order.
    public func rewritten(_ rewriting: Rewriting = .none) -> SecretBytes {
        var json = JSONWriter(capacity: 4096)
        write(into: &json, rewriting)
        return json.finish()
    }

    /// Calls `take` with each text and the name of the member that holds it, directly or in arrays.
    public func collectTexts(member: String = "", _ take: (String, String) -> Void) {
        if let string { take(member, string) }
        for element in elements ?? [] { element.collectTexts(member: member, take) }
        for (name, value) in members ?? [] { value.collectTexts(member: name, take) }
    }

    private func write(into json: inout JSONWriter, _ rewriting: Rewriting) {
        switch kind {
        case .null: json.null()
        case .boolean: json.value(bool ?? false)
        case .string:
            if rewriting == .wrongTypes { json.value(7) } else if let secretText { json.value(secretText) }
        case .integer, .unsignedInteger, .double:
            if rewriting == .wrongTypes {
                json.value("seven")
            } else if let integer {
                json.value(integer)
            } else {
                json.value(double ?? 0)
            }
        case .array:
            json.array { json in for element in elements ?? [] { element.write(into: &json, rewriting) } }
        case .object:
            json.object { json in
                for (name, value) in members ?? [] {
                    json.key(name)
                    value.write(into: &json, rewriting)
                }
                guard rewriting == .unknownMembers else { return }
                json.member("unheard_of", "text")
                json.member("unheard_of_object", object: { json in json.member("inner", 1) })
                json.member("unheard_of_list", array: { json in json.null() })
            }
        }
    }
}
