import Provisioning
import Storage

extension Problem {
    /// What a caller is told when the store failed before anything was sent.
    init(store failure: StoreFailure) {
        switch failure {
        case .unavailable, .unwritable:
            self.init(.overloaded, detail: "The store cannot be written now. Nothing was sent.", retryAfter: 1)
        case .uncertain:
            self.init(.overloaded, detail: "The store did not answer in time. Nothing was sent.", retryAfter: 1)
        case .invalidCursor:
            self = .member("/cursor", "is not a cursor that this list gave")
        case .newerSchema, .broken:
            self.init(.internalError)
        }
    }
}
