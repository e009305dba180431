public import Provisioning

/// Anything that ends a request other than as asked. The facade renders it as `application/problem+json`.
///
/// It holds no upstream text and no value from the request: it is safe to print.
public struct Problem: Error, Sendable, Equatable {
    /// What went wrong.
    public var code: ProblemCode
    /// One plain sentence about this case; nil uses the code's own.
    public var detail: String?
    /// Which members are at fault.
    public var errors: [MemberProblem]
    /// What had happened, for the retry class.
    public var situation: RetrySituation
    /// What is known of the effect upstream; nil outside provisioning.
    public var outcome: ProvisioningOutcome?
    /// Why, for `card_ineligible`.
    public var reason: String?
    /// How many seconds to wait.
    public var retryAfter: Int?
    /// The record, where there is one.
    public var provisioning: String?
    /// Which provider said what.
    public var provider: ProviderReport?

    /// Makes a problem of its members.
    public init(
        _ code: ProblemCode, detail: String? = nil, errors: [MemberProblem] = [],
        situation: RetrySituation = .notSent, outcome: ProvisioningOutcome? = nil, reason: String? = nil,
        retryAfter: Int? = nil, provisioning: String? = nil, provider: ProviderReport? = nil
    ) {
        self.code = code
        self.detail = detail
        self.errors = errors
        self.situation = situation
        self.outcome = outcome
        self.reason = reason
        self.retryAfter = retryAfter
        self.provisioning = provisioning
        self.provider = provider
    }

    /// A problem with one member.
    public static func member(_ pointer: String, _ detail: String, code: ProblemCode = .invalidRequest) -> Problem {
        Problem(
            code, detail: detail, errors: [MemberProblem(pointer: pointer, code: code.rawValue, detail: detail)])
    }

    /// A problem with members that are not there.
    public static func missing(_ pointers: [String]) -> Problem {
        Problem(
            .invalidRequest,
            errors: pointers.map { MemberProblem(pointer: $0, code: "missing", detail: "is missing") })
    }

    /// What to do next.
    public var retry: RetryClass { code.retry(in: situation) }
}

/// What is wrong with one member of a request.
public struct MemberProblem: Sendable, Equatable {
    /// The member, as a JSON pointer.
    public var pointer: String
    /// A word, such as `unknown_member` or `missing`.
    public var code: String
    /// One plain sentence that says what would be right. It never quotes the value.
    public var detail: String

    /// Makes a problem of its members.
    public init(pointer: String, code: String, detail: String) {
        self.pointer = pointer
        self.code = code
        self.detail = detail
    }
}

/// Which provider said what.
public struct ProviderReport: Sendable, Equatable {
    /// The provider's id.
    public var id: String
    /// The connection.
    public var connection: String
    /// What it said.
    public var upstream: UpstreamReport?

    /// Makes a report of its members.
    public init(id: String, connection: String, upstream: UpstreamReport?) {
        self.id = id
        self.connection = connection
        self.upstream = upstream
    }
}
