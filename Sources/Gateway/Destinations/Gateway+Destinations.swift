import Crypto
import ProviderKit
import Provisioning
import SecretMemory
public import Storage

extension Gateway {
    private static var destinationPurpose: String { "event_destination" }
    /// How long a secret that was replaced signs beside the new one.
    static let secretOverlapMilliseconds: Int64 = 24 * 3600 * 1000
    /// How many events one replay queues.
    static let replayLimit = 1000

    /// Makes a destination. Events that are written from now on are sent there.
    ///
    /// - Throws: `invalid_request` at `/url` where nothing may be sent there.
    public func addDestination(url: String, program: String, actor: AuditActor) async throws(Problem)
        -> RevealedDestination
    {
        guard directory.courier.accepts(url) else {
            throw .member("/url", "must be an https URL of a public host, without credentials or a fragment")
        }
        let id = makeID("dest_")
        let (secret, sealed) = try makeSecret(of: id)
        let now = clock.now
        let destination = StoredDestination(
            id: id, program: program, url: url, sealedSecret: sealed, createdAt: now, updatedAt: now)
        do throws(StoreFailure) { try await store.add(destination, audit: actor) } catch { throw Problem(store: error) }
        return RevealedDestination(destination, secret: secret)
    }

    /// The destination.
    ///
    /// - Throws: `destination_not_found`.
    public func destination(_ id: String, program: String) async throws(Problem) -> StoredDestination {
        do throws(StoreFailure) {
            if let destination = try await store.destination(id, program: program) { return destination }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.destinationNotFound)
    }

    /// The program's destinations in order of creation, a page at a time.
    public func destinations(_ query: DestinationQuery) async throws(Problem) -> Page<StoredDestination> {
        try await page(query.page, of: ["destinations", query.program]) { page throws(StoreFailure) in
            try await store.destinations(DestinationQuery(program: query.program, page: page))
        }
    }

    /// What became of a destination's deliveries, the latest first, a page at a time.
    public func deliveries(_ query: DeliveryQuery) async throws(Problem) -> Page<StoredDelivery> {
        let filters = [query.destination, query.status?.rawValue]
        return try await page(query.page, of: ["deliveries"] + filters) { page throws(StoreFailure) in
            try await store.deliveries(
                DeliveryQuery(destination: query.destination, status: query.status, page: page))
        }
    }

    /// Removes a destination with all that waits for it.
    ///
    /// - Throws: `destination_not_found`.
    public func removeDestination(_ id: String, program: String, actor: AuditActor) async throws(Problem) {
        let isRemoved: Bool
        do throws(StoreFailure) {
            isRemoved = try await store.removeDestination(id, program: program, audit: actor, at: clock.now)
        } catch {
            throw Problem(store: error)
        }
        if !isRemoved { throw Problem(.destinationNotFound) }
    }

    /// Replaces a destination's secret. For a day the one before it signs as well, so that a receiver can change over
    /// without losing an event.
    ///
    /// - Throws: `destination_not_found`.
    public func rotateSecret(of id: String, program: String, actor: AuditActor)
        async throws(Problem) -> RevealedDestination
    {
        let (secret, sealed) = try makeSecret(of: id)
        let now = clock.now
        let rotation = SecretRotation(
            id: id, program: program, sealedSecret: sealed,
            formerUntil: now.adding(milliseconds: Self.secretOverlapMilliseconds), at: now)
        do throws(StoreFailure) {
            if let destination = try await store.rotate(rotation, audit: actor) {
                return RevealedDestination(destination, secret: secret)
            }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.destinationNotFound)
    }

    /// Queues events for a destination again, a bounded number at once, and enables it where it was disabled.
    ///
    /// - Returns: How many were queued, and the event that the rest begins with.
    /// - Throws: `destination_not_found`; `invalid_request` at `/from_event` where there is no such event.
    public func replay(
        to id: String, program: String, from start: Replay.Start, isForDeadOnly: Bool, actor: AuditActor
    ) async throws(Problem) -> (queued: Int, next: String?) {
        let wish = Replay(
            destination: id, program: program, start: start, isForDeadOnly: isForDeadOnly, limit: Self.replayLimit,
            at: clock.now)
        let result: ReplayResult
        do throws(StoreFailure) { result = try await store.replay(wish, audit: actor) } catch {
            throw Problem(store: error)
        }
        switch result {
        case .queued(let count, let next):
            traffic.outgoing.raise()
            return (count, next)
        case .unknownDestination: throw Problem(.destinationNotFound)
        case .unknownEvent: throw .member("/from_event", "is not the id of an event that is kept")
        }
    }

    private func makeSecret(of id: String) throws(Problem) -> (text: SecretText, sealed: String) {
        var bytes = random(WebhookSecret.count)
        let secret = WebhookSecret(key: SecretBytes(taking: &bytes))
        let sealed = try? keys.seal(secret.key, purpose: Self.destinationPurpose, associatedData: Array(id.utf8))
        guard let sealed, let text = secret.text else {
            throw Problem(.internalError, detail: "The secret could not be sealed.")
        }
        return (text, sealed)
    }

    /// Signs for a destination with the secrets in force; nil where the current one cannot be opened. A former one that
    /// cannot be, since its root secret went before its day was over, does not keep events back.
    func signer(for destination: StoredDestination, at now: Timestamp) -> WebhookSigner? {
        var secrets: [WebhookSecret] = []
        for sealed in destination.sealedSecrets(at: now) {
            let key = try? keys.open(
                sealed, purpose: Self.destinationPurpose, associatedData: Array(destination.id.utf8))
            if let key {
                secrets.append(WebhookSecret(key: key))
            } else if secrets.isEmpty {
                return nil
            }
        }
        return WebhookSigner(secrets: secrets)
    }
}
