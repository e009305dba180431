import CCurl
import EventLoop
import ProviderKit

/// Drives one libcurl multi handle on one loop.
///
/// Safe to share: everything but ``perform(_:)`` runs on the loop's thread, and checks it. libcurl's callbacks only take
/// notes; tasks are resumed through the loop's queue, never inside them.
final class CurlDriver: @unchecked Sendable {
    let loop: EventLoop
    private let idleConnections: Int
    private var multi: UnsafeMutableRawPointer?
    private var isClosed = false
    /// What is in flight. It keeps each transfer alive while libcurl holds its address.
    private var active: [Transfer] = []
    /// Handles that wait for their next exchange, by their settings' identifier.
    private var spare: [Int: [Transfer]] = [:]
    private var timer: EventLoop.Timer?
    private var timerDue: ContinuousClock.Instant?
    private var dueAt: ContinuousClock.Instant?
    private var isDueNow = false
    private static let spareLimit = 256

    init(loop: EventLoop, idleConnections: Int) {
        self.loop = loop
        self.idleConnections = idleConnections
    }

    // MARK: Exchanges

    /// Sends, and waits for the outcome. A task that is cancelled before a byte of the body has left ends at once; after
    /// that the answer is still awaited, because it decides what the request became. From any thread.
    func perform(_ exchange: Exchange) async -> Exchange.Outcome {
        // Where these closures run is not relied on: not every task has the loop as its preference.
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Exchange.Outcome, Never>) in
                if Task.isCancelled { return continuation.resume(returning: .failure(.notSent(.cancelled))) }
                exchange.continuation = continuation
                if loop.isCurrent { start(exchange) } else { loop.execute { self.start(exchange) } }
            }
        } onCancel: {
            loop.execute { self.abandon(exchange) }
        }
    }

    private func start(_ exchange: Exchange) {
        loop.preconditionIsCurrent()
        let timeLeft = exchange.request.deadline - .now
        if exchange.isCancelled || isClosed { return finish(exchange, .failure(.notSent(.cancelled))) }
        if timeLeft <= .zero { return finish(exchange, .failure(.notSent(.deadline))) }
        guard let multi = openMulti(), let transfer = takeTransfer(exchange.settings) else {
            return finish(exchange, .failure(.notSent(.unreachable)))
        }
        do throws(InvalidRequest) {
            try transfer.prepare(exchange, timeLeft: timeLeft)
        } catch {
            giveBack(transfer)
            return finish(exchange, .failure(.notSent(.invalidRequest)))
        }
        guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
            giveBack(transfer)
            return finish(exchange, .failure(.notSent(.unreachable)))
        }
        transfer.slot = active.count
        active.append(transfer)
    }

    /// Ends what has not been sent.
    private func abandon(_ exchange: Exchange) {
        if !exchange.isSent { cancel(exchange) }
    }

    /// A late call finds the exchange finished, and does nothing: an exchange is never used twice.
    private func cancel(_ exchange: Exchange) {
        loop.preconditionIsCurrent()
        exchange.isCancelled = true
        guard let transfer = exchange.transfer else { return }
        let failure = TransferOutcome.failure(exchange, .cancelled)
        remove(transfer, isReusable: false)
        finish(exchange, .failure(failure))
    }

    private func finish(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
        exchange.continuation.take()?.resume(returning: outcome)
    }

    /// Takes a transfer out of libcurl's hands. One that has failed is not used again: where libcurl wanted to send a
    /// body a second time, to a server that took no more connections, the handle would still want that in the next
    /// exchange, and end it for the reason that the body cannot be had again.
    private func remove(_ transfer: Transfer, isReusable: Bool) {
        curl_multi_remove_handle(multi, transfer.easy)
        let last = active.removeLast()
        if last !== transfer {
            active[transfer.slot] = last
            last.slot = transfer.slot
        }
        if isReusable { giveBack(transfer) } else { transfer.clear() }
    }

    private func takeTransfer(_ settings: TransferSettings) -> Transfer? {
        spare[settings.identifier]?.popLast() ?? Transfer(settings)
    }

    private func giveBack(_ transfer: Transfer) {
        transfer.clear()
        let identifier = transfer.settings.identifier
        if !isClosed, spare[identifier, default: []].count < Self.spareLimit {
            spare[identifier, default: []].append(transfer)
        }
    }

    /// Lets go of the handles of a transport that is no more.
    func forget(_ settings: TransferSettings) {
        loop.preconditionIsCurrent()
        spare[settings.identifier] = nil
    }

    /// Ends what is in flight, and closes every connection.
    func close() {
        loop.preconditionIsCurrent()
        isClosed = true
        for transfer in active {
            guard let exchange = transfer.exchange else { continue }
            cancel(exchange)
        }
        spare = [:]
        timer?.cancel()
        timer = nil
        if let multi { curl_multi_cleanup(multi) }
        multi = nil
    }

    // MARK: libcurl's sockets and timer

    private func openMulti() -> UnsafeMutableRawPointer? {
        if let multi { return multi }
        guard let opened = curl_multi_init() else { return nil }
        let context = Unmanaged.passUnretained(self).toOpaque()
        passgate_curl_multi_callbacks(
            opened, context,
            { _, descriptor, what, context, _ in CurlDriver.socketChanged(context, descriptor, what) },
            { _, milliseconds, context in CurlDriver.timerChanged(context, milliseconds) })
        passgate_curl_multi_set_long(opened, CURLMOPT_MAXCONNECTS, idleConnections)
        // One exchange at a time on an HTTP/2 connection, too: a server that winds one up refuses the streams that
        // came too late, and libcurl, which cannot send their bodies again, does not say that they were not taken.
        passgate_curl_multi_set_long(opened, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        multi = opened
        loop.atEndOfTurn { [weak self] in self?.endTurn() }
        return opened
    }

    private static func socketChanged(
        _ context: UnsafeMutableRawPointer?, _ descriptor: Int32, _ what: Int32
    ) -> Int32 {
        guard let context else { return -1 }
        let driver = Unmanaged<CurlDriver>.fromOpaque(context).takeUnretainedValue()
        var readiness: EventLoop.Readiness = []
        switch what {
        case CURL_POLL_IN: readiness = .readable
        case CURL_POLL_OUT: readiness = .writable
        case CURL_POLL_INOUT: readiness = [.readable, .writable]
        default:
            driver.loop.unwatch(descriptor)
            return 0
        }
        driver.loop.watch(descriptor, for: readiness) { [weak driver] in driver?.isReady(descriptor, $0) }
        return 0
    }

    private func isReady(_ descriptor: Int32, _ readiness: EventLoop.Readiness) {
        var mask: Int32 = 0
        // A connection that has failed is read, not written: the error shows before a byte of a body is taken.
        if !readiness.isDisjoint(with: [.readable, .halfClosed, .hangUp, .error]) { mask |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { mask |= CURL_CSELECT_OUT }
        act(descriptor, mask)
    }

    private static func timerChanged(_ context: UnsafeMutableRawPointer?, _ milliseconds: Int) -> Int32 {
        guard let context else { return -1 }
        let driver = Unmanaged<CurlDriver>.fromOpaque(context).takeUnretainedValue()
        driver.isDueNow = milliseconds == 0
        driver.dueAt = milliseconds > 0 ? .now + .milliseconds(milliseconds) : nil
        if let due = driver.dueAt { driver.wake(at: due) }
        return 0
    }

    /// Sees to it that the loop's timer goes off in time. One that goes off too early is left: it is set again then,
    /// which is rare, while libcurl moves its time with every transfer.
    private func wake(at due: ContinuousClock.Instant) {
        if timer != nil, let timerDue, timerDue <= due { return }
        timer?.cancel()
        timerDue = due
        timer = loop.schedule(at: due) { [weak self] in self?.timerFired() }
    }

    private func timerFired() {
        timer = nil
        guard let dueAt else { return }
        if dueAt > .now { return wake(at: dueAt) }
        self.dueAt = nil
        act(CURL_SOCKET_TIMEOUT, 0)
    }

    /// Does what libcurl wants done at once, without a trip through epoll.
    private func endTurn() {
        var rounds = 0
        while isDueNow, rounds < 16 {
            isDueNow = false
            rounds += 1
            act(CURL_SOCKET_TIMEOUT, 0)
        }
        if isDueNow { wake(at: .now) }
    }

    private func act(_ descriptor: Int32, _ mask: Int32) {
        loop.preconditionIsCurrent()
        guard let multi else { return }
        var running: Int32 = 0
        curl_multi_socket_action(multi, descriptor, mask, &running)
        var code = CURLE_OK
        while let easy = passgate_curl_next_done(multi, &code), let context = passgate_curl_context(easy) {
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            guard let exchange = transfer.exchange else { continue }
            let outcome = TransferOutcome.of(transfer, exchange, code)
            remove(transfer, isReusable: code == CURLE_OK)
            finish(exchange, outcome)
        }
    }
}
