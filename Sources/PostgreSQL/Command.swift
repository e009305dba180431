/// A statement on its way, with what becomes of its answer.
struct Command {
    /// What is asked.
    enum Text {
        /// A literal: each connection prepares it once, and finds it again by its address.
        case literal(StaticString)
        /// A statement that is used once.
        case once(String)
    }

    let text: Text
    let values: [PostgreSQLValue]
    /// Takes the result in.
    let deliver: (OpaquePointer) throws -> Void

    init(_ text: Text, _ values: [PostgreSQLValue] = [], deliver: @escaping (OpaquePointer) throws -> Void = { _ in }) {
        self.text = text
        self.values = values
        self.deliver = deliver
    }
}
