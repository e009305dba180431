public import SecretMemory
import Storage

extension Gateway {
    /// Creates or changes many cards, each as ``putCard(_:actor:)`` does, in constant memory. A line that is no card, or
    /// one that cannot be stored, keeps none of the others back. The import is one entry of the audit trail.
    ///
    /// - Parameter next: Brings the text piece by piece; nil after the last.
    /// - Returns: What became of the lines.
    /// - Throws: `program_not_found`; what `next` throws; `overloaded` where the store cannot be written. What was stored
    ///   until then stays, and to import the same lines again is safe.
    public func importCards(
        _ order: CardImportOrder, from next: () async throws(Problem) -> SecretBytes?
    ) async throws(Problem) -> CardImportReport {
        let importer = CardImporter(
            gateway: self, program: try program(order.program), order: order, id: makeID("imp_"))
        return try await importer.run(next)
    }
}
