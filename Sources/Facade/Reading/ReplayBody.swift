import Gateway
import Provisioning
import Storage

/// Reads the body of `POST /v1/event_destinations/{id}/replay`.
struct ReplayBody {
    static let request = KnownMembers(
        ["from_event", "from_time", "dead_letters"],
        advice: ["event": "is not known here; did you mean `from_event`?", "since": "did you mean `from_time`?"])

    let start: Replay.Start
    let isForDeadOnly: Bool

    /// The wish that a body holds: where to begin, or that dead letters are meant, or both.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody) throws(Problem) -> ReplayBody {
        let findings = Findings()
        let reader = body.reader(known: request, findings: findings)
        let event = reader.text("from_event", limit: 64)
        let time = reader.time("from_time")
        let isForDeadOnly = reader.flag("dead_letters") ?? false
        if reader.value("from_event") != nil, reader.value("from_time") != nil {
            reader.refuse("from_time", "conflict", "cannot stand beside `from_event`")
        }
        if reader.value("from_event") == nil, reader.value("from_time") == nil, !isForDeadOnly {
            reader.require("from_event")
        }
        try findings.throwAny()
        let start: Replay.Start = event.map { .event($0) } ?? time.map { .time($0) } ?? .beginning
        return ReplayBody(start: start, isForDeadOnly: isForDeadOnly)
    }
}
