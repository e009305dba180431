/// One thing that the doctor looked at, and what came of it.
struct Finding: Sendable, Equatable {
    /// How it stands.
    enum Verdict: String, Sendable {
        /// It is as it should be.
        case fine = "ok"
        /// Nothing can be said, and why.
        case note
        /// It works, and will not for ever, or not in every case.
        case warning
        /// It does not work because of what the configuration says.
        case configuration = "configuration_problem"
        /// It does not work because something cannot be reached, refuses, or is not as it must be.
        case unavailable = "problem"

        /// Whether it does not work.
        var isProblem: Bool { self == .configuration || self == .unavailable }
    }

    /// What it is about, such as `connections.increase_main`.
    let subject: String
    /// What was looked at, as a word for machines.
    let check: String
    let verdict: Verdict
    /// What came of it.
    let words: String

    init(_ subject: String, _ check: String, _ verdict: Verdict, _ words: String) {
        self.subject = subject
        self.check = check
        self.verdict = verdict
        self.words = words
    }
}
