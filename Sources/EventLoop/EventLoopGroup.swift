/// As many loops as there are workers.
public struct EventLoopGroup: Sendable {
    /// The loops, started.
    public let loops: [EventLoop]

    /// Starts `count` loops.
    public init(count: Int) {
        loops = (0..<max(count, 1)).map { EventLoop(name: "passgate-\($0)") }
        for loop in loops { loop.start() }
    }

    /// Ends every loop's thread and waits for it.
    public func stop() { for loop in loops { loop.stop() } }
}
