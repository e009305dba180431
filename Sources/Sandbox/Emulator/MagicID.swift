/// An id with a meaning of its own, as the sandbox documents it.
public struct MagicID: Sendable, Hashable {
    /// The id, or its beginning followed by `…`.
    public let id: String
    /// What it does, in a few words.
    public let meaning: String

    /// Documents an id.
    public init(_ id: String, _ meaning: String) {
        self.id = id
        self.meaning = meaning
    }
}
