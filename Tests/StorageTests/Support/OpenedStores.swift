import Storage
import Synchronization

/// The stores that a test has opened.
final class OpenedStores: Sendable {
    private let stores = Mutex<[PostgreSQLStore]>([])

    func add(_ store: PostgreSQLStore) { stores.withLock { $0.append(store) } }

    func take() -> [PostgreSQLStore] {
        stores.withLock { stores in
            defer { stores = [] }
            return stores
        }
    }
}
