import Crypto
import ProviderKit
import SecretMemory
import Storage

/// Something that is needed cannot be had.
struct Unavailable: Error, Sendable, CustomStringConvertible {
    let description: String
}

extension Configuration {
    /// The keys of the root secrets.
    func keyRing() throws(Unavailable) -> KeyRing {
        do throws(CryptographyFailure) { return try KeyRing(rootSecrets) } catch {
            throw Unavailable(description: "root_secrets: \(error.description)")
        }
    }

    /// Opens the store. A file's is waited for.
    func openStore(_ keys: KeyRing, meter: StoreMeter = StoreMeter()) async throws(Unavailable) -> any GatewayStore {
        let clock = SystemClock()
        let name: String
        do throws(StoreFailure) {
            switch store {
            case .sqlite(let path):
                name = path
                return try SQLiteStore(path: path, audit: AuditChain(keys), meter: meter, now: { clock.now })
            case .postgreSQL(let url):
                name = PostgreSQLStore.summary(of: url) ?? "PostgreSQL"
                return try await PostgreSQLStore(url: url, audit: AuditChain(keys), meter: meter, now: { clock.now })
            }
        } catch {
            throw Unavailable(description: "the store \(name): \(error.words)")
        }
    }
}
