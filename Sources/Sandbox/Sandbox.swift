import EventLoop
public import ProviderKit

/// Every emulator on one port, a prefix each, with a control API under `/_lab`.
///
/// Tests and the demo also reach it in process: ``script(_:for:)``, ``requests(to:)`` and ``reset()`` do what the
/// control API does.
public final class Sandbox: Sendable {
    /// The emulators, in the order of the catalogue.
    public let emulators: [any Emulator]
    let json: any JSONParsing
    private let scripts: [String: FaultScript]
    private let logs: [String: RequestLog]
    private let clock: any WallClock
    /// Carries the emulators' webhooks; nil where none are sent.
    let courier: (any UpstreamTransport)?
    private let pause: @Sendable (Duration) async -> Void

    /// Hosts the emulators. `courier` carries their webhooks. `pause` waits before an answer that is held back; by itself it waits on the event loop.
    public init(
        emulators: [any Emulator], json: any JSONParsing, clock: any WallClock = SandboxClock(),
        courier: (any UpstreamTransport)? = nil, pause: (@Sendable (Duration) async -> Void)? = nil
    ) {
        self.emulators = emulators
        self.json = json
        self.clock = clock
        self.courier = courier
        self.pause = pause ?? { time in try? await EventLoop.current?.sleep(for: time) }
        scripts = Dictionary(uniqueKeysWithValues: emulators.map { ($0.name, FaultScript()) })
        logs = Dictionary(uniqueKeysWithValues: emulators.map { ($0.name, RequestLog()) })
    }

    /// The emulator of that name.
    public func emulator(named name: String) -> (any Emulator)? { emulators.first { $0.name == name } }

    /// Spoils the next requests to the emulator.
    public func script(_ fault: ScriptedFault, for name: String) { scripts[name]?.add(fault) }

    /// The faults that still wait.
    public func pendingFaults(for name: String) -> [ScriptedFault] { scripts[name]?.pending ?? [] }

    /// Withdraws the faults that still wait.
    public func clearFaults(for name: String) { scripts[name]?.clear() }

    /// The latest requests that the emulator saw, a thousand at most.
    public func requests(to name: String) -> [RequestRecord] { logs[name]?.records ?? [] }

    /// How many requests the emulator saw.
    public func requestCount(of name: String) -> Int { logs[name]?.count ?? 0 }

    /// Forgets the requests that the emulator saw.
    public func clearRequests(of name: String) { logs[name]?.clear() }

    /// Forgets everything: faults, requests, and what the emulators keep.
    public func reset() {
        for emulator in emulators { emulator.reset() }
        for script in scripts.values { script.clear() }
        for log in logs.values { log.clear() }
    }

    /// Answers a request whose path still has its prefix, delays included.
    public func answer(_ request: EmulatedRequest) async -> EmulatedResponse {
        let (name, path) = Self.split(request.path)
        if name == "_lab" { return await ControlAPI(sandbox: self).answer(request) }
        guard let emulator = emulator(named: name), let log = logs[name] else { return unknown(name) }
        let inner = EmulatedRequest(
            method: request.method, path: path, query: request.query, headers: request.headers, body: request.body)
        let number = log.note(inner, at: clock.now)
        let fault = scripts[name]?.take(for: inner)
        var answer: EmulatedResponse?
        if fault?.needsAnswer ?? true { answer = await emulator.handle(inner) }
        let response = fault?.spoil(answer) ?? answer ?? EmulatedResponse(status: 500)
        if let delay = response.delay { await pause(delay) }
        log.close(number, status: response.status, wasSpoiled: fault != nil)
        return response
    }

    private func unknown(_ name: String) -> EmulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.member("error", "the sandbox has nothing under /\(name)")
            json.member("emulators", array: { json in for emulator in emulators { json.value("/\(emulator.name)") } })
            json.member("control", "/_lab")
        }
        return .json(404, json.finish())
    }

    /// The first segment, and the path after it.
    private static func split(_ path: String) -> (name: String, rest: String) {
        let trimmed = path.drop { $0 == "/" }
        let name = trimmed.prefix { $0 != "/" }
        let rest = trimmed.dropFirst(name.count)
        return (String(name), rest.isEmpty ? "/" : String(rest))
    }
}
