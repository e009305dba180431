public import PassgateContract

/// Why bytes are no handoff.
public enum HandoffFault: Error, Hashable, Sendable {
    /// They are no JSON object with a `type`.
    case noHandoff
    /// They name a kind that this build knows, and lack a member of it or have one of another form.
    case incomplete(HandoffType)
}
