public import ProviderKit
public import SecretMemory

/// Reads a request's JSON the way a strict processor does, and collects everything wrong with it.
///
/// An emulator that forgave a mistake would let an adapter ship with it.
public struct StrictReader: Sendable {
    /// One thing wrong, named by the member's path with dots.
    public struct Problem: Sendable, Hashable {
        /// Where, such as `apple_pay_in_app.nonce`.
        public let field: String
        /// What is wrong.
        public let message: String
    }

    /// Everything wrong so far.
    public private(set) var problems: [Problem] = []

    /// A reader that has read nothing.
    public init() {}

    /// Reports that a member cannot be used.
    public mutating func refuse(_ field: String, _ message: String) {
        problems.append(Problem(field: field, message: message))
    }

    /// The members of an object that may hold only those names, each once; nil where it is no object.
    public mutating func members(of view: JSONView?, at path: String, known: Set<String>) -> [String: JSONView]? {
        guard let members = view?.members else {
            refuse(path, view == nil ? "is required" : "must be an object")
            return nil
        }
        var found: [String: JSONView] = [:]
        for (name, value) in members {
            let field = path.isEmpty ? name : "\(path).\(name)"
            if !known.contains(name) {
                refuse(field, "is not a known member")
            } else if found.updateValue(value, forKey: name) != nil {
                refuse(field, "is given twice")
            }
        }
        return found
    }

    /// A text that is not empty.
    public mutating func text(_ view: JSONView?, at field: String, required: Bool = true) -> String? {
        guard let view else {
            if required { refuse(field, "is required") }
            return nil
        }
        guard let text = view.string else {
            refuse(field, "must be a string")
            return nil
        }
        if !text.isEmpty { return text }
        refuse(field, "must not be empty")
        return nil
    }

    /// Bytes as standard base64 with its padding, on one line.
    public mutating func base64(_ view: JSONView?, at field: String) -> SecretBytes? {
        guard let text = text(view, at: field) else { return nil }
        if text.utf8.count.isMultiple(of: 4), let bytes = Base64.decode(SecretBytes(utf8: text)) { return bytes }
        refuse(field, "must be standard base64 with padding, on one line")
        return nil
    }
}
