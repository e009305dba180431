import Sandbox

/// Reads a form or a query strictly: every name is known, stands once and has a value, or the call is refused.
struct FormReader {
    private let fields: [String: String]

    /// Reads the fields.
    ///
    /// - Throws: ``StripeError``, where a name is unknown or stands twice, or the text is no form.
    init(_ pairs: [(name: String, value: String)]?, known: Set<String>) throws(StripeError) {
        guard let pairs else { throw .invalid("The request could not be read.") }
        var fields: [String: String] = [:]
        for (name, value) in pairs {
            guard known.contains(name) else { throw .unknown(name) }
            guard fields.updateValue(value, forKey: name) == nil else {
                throw .invalid("\(name) is given twice.", param: name)
            }
        }
        self.fields = fields
    }

    /// The value of a field that need not be there.
    ///
    /// - Throws: ``StripeError``, where it is empty.
    func optional(_ name: String) throws(StripeError) -> String? {
        guard let value = fields[name] else { return nil }
        guard !value.isEmpty else { throw .empty(name) }
        return value
    }

    /// The value of a field that must be there.
    ///
    /// - Throws: ``StripeError``, where it is missing or empty.
    func required(_ name: String) throws(StripeError) -> String {
        guard let value = try optional(name) else { throw .missing(name) }
        return value
    }

    /// A whole number within bounds.
    ///
    /// - Throws: ``StripeError``, where it is none.
    func integer(_ name: String, in bounds: ClosedRange<Int>) throws(StripeError) -> Int? {
        guard let value = try optional(name) else { return nil }
        guard let number = Int(value), bounds.contains(number) else {
            throw .invalid("Invalid integer: \(value)", code: "parameter_invalid_integer", param: name)
        }
        return number
    }
}
