public import Provisioning

/// A caller's idempotency key, within its scope.
public struct IdempotencyKey: Sendable, Hashable {
    /// The program.
    public let program: String
    /// The method and path that it was used with.
    public let route: String
    /// The caller's text, 1 to 255 visible ASCII characters.
    public let key: String

    /// Makes a key of its members.
    public init(program: String, route: String, key: String) {
        self.program = program
        self.route = route
        self.key = key
    }
}

/// The key under which an attempt's upstream calls may be repeated without effect.
public struct UpstreamKey: Sendable, Equatable {
    /// The key.
    public let text: String
    /// When it was used first: repeats use it on, and do not make it younger.
    public let madeAt: Timestamp

    /// Makes a key of its members.
    public init(text: String, madeAt: Timestamp) {
        self.text = text
        self.madeAt = madeAt
    }
}

/// A wish to use a key for a request.
public struct IdempotencyClaim: Sendable, Equatable {
    /// The key.
    public var key: IdempotencyKey
    /// SHA-256 of the request's canonical form.
    public var fingerprint: [UInt8]
    /// The record that the gateway saw and means to run again; nil where the key was free.
    /// A key that is no longer as it was seen is taken.
    public var replacing: IdempotencyRecord?
    /// The key of the calls that the request will make, where they may be repeated.
    public var upstreamKey: UpstreamKey?

    /// Makes a claim of its members.
    public init(
        key: IdempotencyKey, fingerprint: [UInt8], replacing: IdempotencyRecord? = nil,
        upstreamKey: UpstreamKey? = nil
    ) {
        self.key = key
        self.fingerprint = fingerprint
        self.replacing = replacing
        self.upstreamKey = upstreamKey
    }
}

/// What is kept under a key for 24 hours: never a payload.
public struct IdempotencyRecord: Sendable, Equatable {
    /// SHA-256 of the request's canonical form.
    public var fingerprint: [UInt8]
    /// How the request ended; nil while it runs.
    public var ending: IdempotencyEnding?
    /// When the key was first used.
    public var firstUsedAt: Timestamp
    /// When the running request must be over, where it runs.
    public var deadlineAt: Timestamp?
    /// The attempt that it was last used for; nil where it was for none.
    public var provisioning: String?
    /// The key of that attempt's calls, where they may be repeated: whatever became of them, it was written before.
    public var upstreamKey: UpstreamKey?

    /// Makes a record of its members.
    public init(
        fingerprint: [UInt8], ending: IdempotencyEnding?, firstUsedAt: Timestamp, deadlineAt: Timestamp?,
        provisioning: String? = nil, upstreamKey: UpstreamKey? = nil
    ) {
        self.provisioning = provisioning
        self.upstreamKey = upstreamKey
        self.fingerprint = fingerprint
        self.ending = ending
        self.firstUsedAt = firstUsedAt
        self.deadlineAt = deadlineAt
    }
}

/// How a request with a key ended.
public enum IdempotencyEnding: Sendable, Equatable {
    /// With a problem: its JSON, to be given again or not by its retry class.
    case problem(code: ProblemCode, retry: RetryClass, status: Int, body: String)
    /// With a handoff, which is not kept. The upstream key, and when it was made, are there for a request that may run
    /// again.
    case handoff(provisioning: String, upstreamKey: String?, at: Timestamp)
    /// With an answer that may be given again; secrets are left out of it.
    case answer(status: Int, body: String)
}
