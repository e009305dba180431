import EventLoop
import ProviderKit
public import Storage

extension Gateway {
    /// How often the store is swept.
    private static let sweepInterval: Duration = .seconds(5)

    /// Sweeps the store until the task is cancelled: attempts left `sending` by a crash become `unknown`, and what has
    /// outlived its time is dropped. Run it on a loop, once per process.
    public func keepUp(retention: @escaping @Sendable () -> Retention) async {
        guard let loop = EventLoop.current else { return }
        while (try? await loop.sleep(for: Self.sweepInterval)) != nil {
            do throws(StoreFailure) {
                try await store.sweep(at: clock.now, retention: retention())
            } catch {
                report(StoreTrouble(failure: error, provisioning: nil))
            }
        }
    }
}
