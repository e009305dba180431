public import PassgateContract

/// What an event tells: the members of its `data`. Which there are goes by `object`.
public struct EventData: Codable, Hashable, Sendable {
    /// All members, as they came.
    public let members: [String: JSONValue]

    /// Reads any object.
    public init(from decoder: any Decoder) throws {
        members = try decoder.singleValueContainer().decode([String: JSONValue].self)
    }

    /// Writes what was read.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(members)
    }

    /// The text of a member; nil where it is absent, null or no text.
    public subscript(_ name: String) -> String? { members[name]?.text }

    /// What it is about: `provisioning`, `token`, `binding` or `migration`.
    public var object: String? { self["object"] }
    /// The attempt's, token's or migration's id.
    public var id: String? { self["id"] }
    /// The processor.
    public var provider: String? { self["provider"] }
    /// The connection.
    public var connection: String? { self["connection"] }
    /// The wallet.
    public var wallet: Wallet? { self["wallet"].map(Wallet.init(rawValue:)) }
    /// The status that it has come to.
    public var status: String? { self["status"] }
    /// The status before.
    public var previousStatus: String? { self["previous_status"] }
    /// For an attempt: the problem's code, where it failed.
    public var code: ProblemCode? { self["code"].map(ProblemCode.init(rawValue:)) }
    /// For a token: the attempt that it came from.
    public var provisioning: String? { self["provisioning"] }
}
