internal import CPostgreSQL

/// What a statement answers, once the transaction was sent. It belongs to the transaction that it was asked in.
public final class Answer<Element> {
    /// What was made of the rows.
    public private(set) var rows: [Element] = []
    /// How many rows were changed or found.
    public private(set) var count = 0

    private let decode: (borrowing Row) throws -> Element

    init(decode: @escaping (borrowing Row) throws -> Element) { self.decode = decode }

    /// What was made of the first row; nil without one.
    public var first: Element? { rows.first }

    func take(_ result: OpaquePointer) throws {
        let found = PQntuples(result)
        rows.reserveCapacity(Int(found))
        for index in 0..<found { rows.append(try decode(Row(result: result, index: index))) }
        count = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }
}
