/// What had become of a call, told apart as the design does.
enum Happening: Sendable, Equatable {
    /// No byte of it was sent.
    case notSent
    /// It was sent, and no whole answer came.
    case unanswered
    /// A whole answer came, and has no word that the processor documents. A 2xx is none that was promised.
    case answered(Int)
    /// The processor refused it in its own words, which mean this code of ours.
    case said(String)
    /// What was promised came.
    case asContracted
}

/// What one cell of the matrix shows: the envelope, and what is left of the call.
struct MatrixRow: Sendable, Equatable {
    /// The facade's status.
    var status: Int
    /// The problem's code; nil for an answer that is none.
    var code: String?
    /// The problem's retry class.
    var retry: String?
    /// The problem's outcome; nil outside provisioning.
    var outcome: String?
    /// How many calls the processor saw.
    var calls: Int
    /// How often the gateway tried, by the attempt's timeline; nil outside provisioning.
    var tries: Int?
    /// The attempt's status, or whether the card was kept.
    var record: String
    /// Whether the handshake is spent; nil where none is.
    var isSpent: Bool?

    /// The cells of a table, from the status on.
    var cells: [String] {
        [
            String(status), code ?? "–", retry ?? "–", outcome ?? "–", String(calls), tries.map(String.init) ?? "–",
            record, isSpent.map { $0 ? "spent" : "free" } ?? "–",
        ]
    }
}
