import EventLoop

/// The deadlines, all measured from a first byte on: a client that keeps sending a little does not extend them.
extension HTTPWorker {
    /// How often the connections are looked at: often enough for the shortest deadline, and seldom.
    private var sweepInterval: Duration {
        let shortest = min(configuration.headerDeadline, configuration.bodyDeadline, configuration.idleTimeout)
        return min(max(shortest / 8, .milliseconds(10)), .milliseconds(500))
    }

    /// Looks at the connections soon, while there are any.
    func scheduleSweep() {
        guard sweepTimer == nil, !connections.isEmpty else { return }
        sweepTimer = loop.schedule(after: sweepInterval) { [unowned self] in
            sweepTimer = nil
            sweep(at: .now)
            scheduleSweep()
        }
    }

    private func sweep(at now: ContinuousClock.Instant) {
        for connection in Array(connections.values) {
            let spent = now - connection.since
            switch connection.phase {
            case .idle:
                if spent > configuration.idleTimeout { drop(connection) }
            case .arriving:
                if spent > configuration.headerDeadline { refuse(connection, .tooSlow) }
            case .unsure:
                // A part of a head may stand in the library: the shorter of the two deadlines holds for both cases.
                if spent > min(configuration.headerDeadline, configuration.idleTimeout) { drop(connection) }
            case .engaged:
                if let exchange = connection.exchange {
                    sweep(connection, exchange, at: now)
                } else if spent > configuration.headerDeadline {
                    drop(connection)
                }
            case .leaving:
                break
            }
        }
    }

    private func sweep(_ connection: HTTPConnection, _ exchange: HTTPExchange, at now: ContinuousClock.Instant) {
        switch exchange.stage {
        case .started, .received:
            break
        case .receiving:
            guard exchange.pausedAt == nil, now > exchange.bodyDeadline else { return }
            exchange.pipe?.interrupt()
            exchange.task?.cancel()
            refuse(connection, .tooSlow)
        case .answering:
            // Who does not read the answer has as long as a body may take.
            guard let answeredAt = exchange.answeredAt, now - answeredAt > configuration.bodyDeadline else { return }
            drop(connection)
        }
    }
}
