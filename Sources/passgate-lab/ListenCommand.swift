import EventLoop
import ProviderKit
import Sandbox
import SecretMemory

/// `passgate-lab listen`
struct ListenCommand {
    private static let interval: Duration = .milliseconds(500)
    private static let longestWait: Duration = .seconds(5)

    let options: ListenOptions

    /// What is known of the gateway. It is said when it changes, and not before it is so.
    private enum Standing: Equatable {
        case unknown
        case listening
        case away
    }

    func run(in laboratory: Laboratory) async -> ExitCode {
        let client = GatewayClient(
            baseURL: options.gateway, key: SecretText(options.key), program: options.program,
            transport: laboratory.transport, json: laboratory.json)
        guard let loop = laboratory.loops.first else { return .unavailable }
        let following = loop.run { await follow(EventFeed(gateway: client, after: options.after), on: loop) }
        await laboratory.onTermination { following.cancel() }
        return await following.value
    }

    private func follow(_ start: EventFeed, on loop: EventLoop) async -> ExitCode {
        var feed = start
        var standing = Standing.unknown
        var isShowing = options.showsOlder || options.after != nil
        var older = 0
        var wait = Self.interval
        while !Task.isCancelled {
            switch await feed.look() {
            case .events(let events, let mayHaveMore):
                if !isShowing {
                    older += events.count
                } else if !events.allSatisfy(show) {
                    say("nobody reads the events any more")
                    return .fine
                }
                if mayHaveMore { continue }
                if standing != .listening {
                    let skipped = !isShowing && older > 0 ? ", after \(older) older events" : ""
                    say(standing == .away ? "connected again" : "listening to \(options.gateway)\(skipped)")
                    standing = .listening
                }
                isShowing = true
                wait = Self.interval
            case .gap: say("the last event that was seen is kept no more: what follows begins with the oldest")
            case .away(let reason):
                if standing != .away { say("not connected: \(reason); trying again") }
                standing = .away
                wait = min(wait * 2, Self.longestWait)
            case .refused(let reason):
                say("the gateway does not tell: \(reason)")
                return .failed
            }
            if (try? await loop.sleep(for: wait)) == nil { break }
        }
        say("stopped after \(feed.last ?? "no event")")
        return .fine
    }

    /// One line for each event, on the output that scripts read. False where nobody reads it.
    private func show(_ event: JSONView) -> Bool {
        if options.json { return StandardStream.output.write((event.canonical.revealText() ?? "") + "\n") }
        let data = event["data"]
        let former = data?["previous_status"]?.string
        let move = former.map { "\($0) → \(data?["status"]?.string ?? "?")" } ?? data?["status"]?.string ?? ""
        let parts = [
            event["created_at"]?.string ?? "", event["type"]?.string ?? "",
            "\(event["card"]?.string ?? "") #\(event["sequence"]?.integer ?? 0)", move, data?["id"]?.string ?? "",
        ]
        return StandardStream.output.write(parts.filter { !$0.isEmpty }.joined(separator: "  ") + "\n")
    }

    /// How it stands, on the output that people read.
    private func say(_ text: String) { StandardStream.error.write("passgate-lab: \(text)\n") }
}
