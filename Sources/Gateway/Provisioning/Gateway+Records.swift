import Provisioning
public import Storage

extension Gateway {
    /// The record of an attempt, never its payload. One whose answer is being written is waited for.
    ///
    /// - Throws: `provisioning_not_found`.
    public func provisioning(_ id: String, program: String) async throws(Problem) -> StoredProvisioning {
        await deliveries.settled(id)
        do throws(StoreFailure) {
            if let record = try await store.provisioning(id, program: program) { return record }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.provisioningNotFound)
    }

    /// The program's attempts, the newest first, a page at a time.
    public func provisionings(_ query: ProvisioningQuery) async throws(Problem) -> Page<StoredProvisioning> {
        do throws(StoreFailure) { return try await store.provisionings(query) } catch { throw Problem(store: error) }
    }
}
