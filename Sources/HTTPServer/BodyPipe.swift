import SecretMemory
import Synchronization

/// The pieces of one body on their way from the library to a handler that asks for them one by one.
final class BodyPipe: Sendable {
    private struct State {
        var pieces: [SecretBytes] = []
        var hasEnded = false
        var isBroken = false
        var waiter: UnsafeContinuation<Void, Never>?
    }
    private let state = Mutex(State())
    private let onEmpty: @Sendable () -> Void

    /// A pipe that calls `onEmpty` whenever its last piece has been taken and more may come.
    init(onEmpty: @escaping @Sendable () -> Void) { self.onEmpty = onEmpty }

    /// Whether a piece waits for the handler: the client is not to be read from.
    var isFull: Bool { state.withLock { !$0.pieces.isEmpty } }

    func push(_ piece: SecretBytes) { change { $0.pieces.append(piece) } }
    func end() { change { $0.hasEnded = true } }
    func interrupt() { change { $0.isBroken = true } }

    /// The next piece, when there is one; nil after the last.
    func next() async throws(HTTPBodyError) -> SecretBytes? {
        while true {
            let (piece, isOver, mayRefill) = try take()
            if mayRefill { onEmpty() }
            if let piece { return piece }
            if isOver { return nil }
            await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    let mustWait = state.withLock { state in
                        if Task.isCancelled || state.isBroken || state.hasEnded || !state.pieces.isEmpty {
                            return false
                        }
                        state.waiter = continuation
                        return true
                    }
                    if !mustWait { continuation.resume() }
                }
            } onCancel: {
                interrupt()
            }
        }
    }

    private func take() throws(HTTPBodyError) -> (piece: SecretBytes?, isOver: Bool, mayRefill: Bool) {
        let (piece, isOver, mayRefill, isBroken) = state.withLock { state in
            if state.isBroken { return (SecretBytes?.none, false, false, true) }
            if state.pieces.isEmpty { return (nil, state.hasEnded, false, false) }
            let piece = state.pieces.removeFirst()
            return (piece, false, state.pieces.isEmpty && !state.hasEnded, false)
        }
        if isBroken { throw .interrupted }
        return (piece, isOver, mayRefill)
    }

    private func change(_ body: (inout sending State) -> Void) {
        let waiter = state.withLock { state in
            body(&state)
            return state.waiter.take()
        }
        waiter?.resume()
    }
}
