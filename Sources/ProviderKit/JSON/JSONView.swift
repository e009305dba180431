public import SecretMemory

/// One value of a document. A wrong type reads as nil, never as an error: what upstream sends is not ours to trust.
public struct JSONView: Sendable {
    let document: JSONDocument
    let index: Int

    private var node: JSONDocument.Node { document.nodes[index] }

    /// What the value is.
    public var kind: JSONDocument.Node.Kind { node.kind }

    /// Whether the value is `null`.
    public var isNull: Bool { kind == .null }

    /// The truth value.
    public var bool: Bool? { kind == .boolean ? node.first == 1 : nil }

    /// The whole number; `1.0` is one too.
    public var integer: Int? {
        switch kind {
        case .integer: node.first
        case .double: Int(exactly: Double(bitPattern: UInt64(bitPattern: Int64(node.first))))
        default: nil
        }
    }

    /// The whole number where it is not negative, up to 2^64 - 1.
    public var unsignedInteger: UInt64? {
        switch kind {
        case .integer: UInt64(exactly: node.first)
        case .unsignedInteger: UInt64(bitPattern: Int64(node.first))
        case .double: UInt64(exactly: Double(bitPattern: UInt64(bitPattern: Int64(node.first))))
        default: nil
        }
    }

    /// The number.
    public var double: Double? {
        switch kind {
        case .integer: Double(node.first)
        case .unsignedInteger: Double(UInt64(bitPattern: Int64(node.first)))
        case .double: Double(bitPattern: UInt64(bitPattern: Int64(node.first)))
        default: nil
        }
    }

    /// The text. Not for secrets: see ``secretText``.
    public var string: String? {
        withUTF8 { text in
            guard let valid = try? UTF8Span(validating: text) else { return nil }
            return String(copying: valid)
        } ?? nil
    }

    /// The text, protected.
    public var secretText: SecretText? {
        guard kind == .string else { return nil }
        var builder = SecretBuilder(capacity: node.second)
        document.text.withSpan { builder.append($0.extracting(node.first..<(node.first + node.second))) }
        return SecretText(utf8: builder.finish())
    }

    /// Calls `body` with the string's UTF-8 bytes, without a copy; nil unless it is a string.
    public func withUTF8<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        guard kind == .string else { return nil }
        return document.text.withSpan { body($0.extracting(node.first..<(node.first + node.second))) }
    }

    /// Whether the value is that string.
    public func equals(_ text: String) -> Bool {
        let expected = text.utf8.span
        return withUTF8 { span in
            guard expected.count == span.count else { return false }
            for index in 0..<span.count where expected[index] != span[index] { return false }
            return true
        } ?? false
    }

    /// The elements of an array, or nil where it is none.
    public var elements: [JSONView]? {
        guard kind == .array else { return nil }
        var views: [JSONView] = []
        views.reserveCapacity(node.first)
        var position = index + 1
        while position < node.second {
            let view = JSONView(document: document, index: position)
            views.append(view)
            position = view.next
        }
        return views
    }

    /// The members of an object in order, duplicates included, or nil where it is none.
    public var members: [(name: String, value: JSONView)]? {
        guard kind == .object else { return nil }
        var members: [(name: String, value: JSONView)] = []
        members.reserveCapacity(node.first)
        var position = index + 1
        while position < node.second {
            let value = JSONView(document: document, index: position + 1)
            members.append((JSONView(document: document, index: position).string ?? "", value))
            position = value.next
        }
        return members
    }

    /// The first member of that name; nil where there is none or this is no object.
    public subscript(_ name: String) -> JSONView? {
        guard kind == .object else { return nil }
        var position = index + 1
        for _ in 0..<node.first {
            let value = JSONView(document: document, index: position + 1)
            if JSONView(document: document, index: position).equals(name) { return value }
            position = value.next
        }
        return nil
    }

    private var next: Int { kind == .array || kind == .object ? node.second : index + 1 }
}
