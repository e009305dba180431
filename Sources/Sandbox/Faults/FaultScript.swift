import Synchronization

/// The faults that wait for an emulator's next requests, first come first served.
final class FaultScript: Sendable {
    private let waiting = Mutex<[ScriptedFault]>([])

    func add(_ fault: ScriptedFault) { waiting.withLock { $0.append(fault) } }

    func clear() { waiting.withLock { $0.removeAll() } }

    var pending: [ScriptedFault] { waiting.withLock { $0 } }

    /// The fault for a request; nil where none is meant for it.
    func take(for request: EmulatedRequest) -> ScriptedFault? {
        waiting.withLock { waiting in
            let index = waiting.firstIndex { fault in fault.pathSuffix.map(request.path.hasSuffix) ?? true }
            guard let index else { return nil }
            let fault = waiting[index]
            if fault.skip > 0 {
                waiting[index].skip -= 1
                return nil
            }
            waiting[index].count -= 1
            if waiting[index].count <= 0 { waiting.remove(at: index) }
            return fault
        }
    }
}
