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

    /// Opens the store. It waits for the disk.
    func openStore(_ keys: KeyRing, clock: SystemClock, meter: StoreMeter = StoreMeter()) throws(Unavailable)
        -> any GatewayStore
    {
        switch store {
        case .sqlite(let path):
            do throws(StoreFailure) {
                return try SQLiteStore(path: path, audit: AuditChain(keys), meter: meter, now: { clock.now })
            } catch {
                throw Unavailable(description: "the store \(path): \(error.words)")
            }
        }
    }
}
