import EventLoop
import Gateway
import HTTPServer
import Provisioning
public import Storage

extension Facade {
    /// How long a key that was revoked may be in force still, while the store can be read.
    private static let lookInterval: Duration = .seconds(1)

    /// Returns once all that was made or revoked in the store before the call is in force.
    public func lookForKeys() async throws(StoreFailure) { try await storedKeys?.look() }

    /// Whether a key of the store is in force.
    public var hasStoredKeys: Bool { current.hasStoredKeys }

    /// Keeps the keys of the store in force as they are there, until the task is cancelled. Run it on a loop. While the
    /// store cannot be read, the keys stay as they were read last.
    ///
    /// - Parameter report: Is told when looks begin to fail.
    public func keepLookingForKeys(report: (StoreFailure) -> Void) async {
        guard let loop = EventLoop.current else { return }
        var isFailing = false
        while (try? await loop.sleep(for: Self.lookInterval)) != nil {
            do throws(StoreFailure) {
                try await lookForKeys()
                isFailing = false
            } catch {
                if !isFailing { report(error) }
                isFailing = true
            }
        }
    }

    /// Admits a request; where its key is not known but may have been made since, with a look into the store.
    func admitAnyKey(_ request: HTTPRequest, _ exchange: inout Exchange) async throws(Problem) -> Admission {
        do throws(Problem) {
            return try admit(request, &exchange)
        } catch {
            guard error.code == .unauthenticated, mayBeNew(request, exchange) else { throw error }
        }
        try await takeNewKeys(&exchange)
        return try admit(request, &exchange)
    }

    /// Puts into force what was made in the store since, for this request too.
    func takeNewKeys(_ exchange: inout Exchange) async throws(Problem) {
        do throws(StoreFailure) {
            try await lookForKeys()
        } catch {
            let detail = "The store cannot be read now, so that it is not known whose the API key is. Nothing was sent."
            throw Problem(.overloaded, detail: detail, retryAfter: 1)
        }
        exchange.inForce = inForce
    }

    /// Whether the request has a key that is not known, and that the store may hold by now.
    func mayBeNew(_ request: HTTPRequest, _ exchange: Exchange) -> Bool {
        storedKeys != nil && exchange.key == nil && APIKeySet.mayBeStored(request.headers)
    }
}
