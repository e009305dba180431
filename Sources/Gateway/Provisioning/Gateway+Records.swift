import Provisioning
public import Storage

extension Gateway {
    /// The record of an attempt, never its payload. One whose answer is being written is waited for.
    ///
    /// - Throws: `provisioning_not_found`.
    public func provisioning(_ id: String, program: String) async throws(Problem) -> StoredProvisioning {
        await traffic.deliveries.settled(id)
        do throws(StoreFailure) {
            if let record = try await store.provisioning(id, program: program) { return record }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.provisioningNotFound)
    }

    /// The program's attempts, the newest first, a page at a time. Those that the query is about and whose answer is being
    /// written are waited for.
    public func provisionings(_ query: ProvisioningQuery) async throws(Problem) -> Page<StoredProvisioning> {
        await traffic.deliveries.settled { delivery in
            delivery.card.program == query.program && query.card.map { $0 == delivery.card.id } ?? true
                && query.provider.map { $0 == delivery.provider } ?? true
        }
        let filters = [query.program, query.card, query.status?.rawValue, query.provider]
        return try await page(query.page, of: ["provisionings"] + filters) { page throws(StoreFailure) in
            var query = query
            query.page = page
            return try await store.provisionings(query)
        }
    }

    /// Takes what a device said of an attempt, moves its status where that is allowed, and keeps it in any case.
    ///
    /// - Throws: `provisioning_not_found`.
    public func note(_ report: DeviceReport) async throws(Problem) -> StoredProvisioning {
        do throws(StoreFailure) {
            if let record = try await store.note(report) { return record }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.provisioningNotFound)
    }
}
