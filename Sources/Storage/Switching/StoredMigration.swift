public import Provisioning

/// The move of a program's cards from one connection to another, as it is kept.
public struct StoredMigration: Sendable, Equatable {
    /// What it does with the cards of its cohort.
    public enum Mode: String, Sendable, CaseIterable {
        /// They stay where they are; what the other side would say is only asked and compared.
        case shadow
        /// Those that are bound at `to` are served by `to`.
        case live
    }

    /// How far it has come.
    public enum Status: String, Sendable, CaseIterable {
        /// It is under way.
        case open
        /// Its cohort does not grow; who serves a card is as before.
        case paused
        /// It was taken back in one step: active bindings serve.
        case rolledBack = "rolled_back"
        /// `to` has taken over for good.
        case completed
    }

    /// Which cards it is about.
    public enum Cohort: Sendable, Equatable {
        /// Cardholders whose bucket is below this many basis points, 0 to 10 000.
        case percent(basisPoints: Int)
        /// So many cards by their ids.
        case cards(count: Int)

        /// Every cardholder.
        public static let everyone = Cohort.percent(basisPoints: CardRouting.buckets)
    }

    /// When it is stopped by itself.
    public struct Guard: Sendable, Equatable {
        /// What is done then.
        public enum Action: String, Sendable, CaseIterable {
            /// It is rolled back.
            case rollback
            /// It is paused.
            case pause
        }

        /// How many attempts each side must have before they are compared; at least 1.
        public var minAttempts: Int
        /// How much worse `to` may be, as a share between 0 and 1.
        public var margin: Double
        /// What is done then.
        public var action: Action

        /// Makes a guard of its members.
        public init(minAttempts: Int, margin: Double, action: Action) {
            self.minAttempts = minAttempts
            self.margin = margin
            self.action = action
        }
    }

    /// The id, `mig_…`.
    public var id: String
    /// The program.
    public var program: String
    /// The connection that is left.
    public var from: String
    /// The connection that takes over.
    public var to: String
    /// What it does with its cohort.
    public var mode: Mode
    /// Which cards it is about.
    public var cohort: Cohort
    /// When it is stopped by itself.
    public var `guard`: Guard?
    /// Whether it may be opened, and completed, though `to` cannot serve all that `from` does.
    public var allowsStranded: Bool
    /// How far it has come.
    public var status: Status
    /// Why it was stopped, where that was not asked for by a caller.
    public var why: String?
    /// When it was opened.
    public var createdAt: Timestamp
    /// When it last changed.
    public var updatedAt: Timestamp
    /// When its cohort was last made, or grew.
    public var advancedAt: Timestamp
    /// When it was rolled back or completed.
    public var endedAt: Timestamp?
    /// When the bindings of all cards were as a completed migration leaves them.
    public var settledAt: Timestamp?

    /// Makes a migration that is just opened.
    public init(
        id: String, program: String, from: String, to: String, mode: Mode, cohort: Cohort, guard: Guard? = nil,
        allowsStranded: Bool = false, at moment: Timestamp
    ) {
        self.id = id
        self.program = program
        self.from = from
        self.to = to
        self.mode = mode
        self.cohort = cohort
        self.`guard` = `guard`
        self.allowsStranded = allowsStranded
        status = .open
        createdAt = moment
        updatedAt = moment
        advancedAt = moment
    }

    /// Whether it decides anything of the program's cards: while it is open or paused, and while a completed one is still
    /// changing their bindings.
    public var isInForce: Bool {
        switch status {
        case .open, .paused: true
        case .rolledBack: false
        case .completed: settledAt == nil
        }
    }
}

/// Which migrations are wanted.
public struct MigrationQuery: Sendable {
    /// The program.
    public var program: String
    /// Only those that are so far.
    public var status: StoredMigration.Status?
    /// Where the page begins.
    public var page: PageRequest

    /// Makes a query of its members.
    public init(program: String, status: StoredMigration.Status? = nil, page: PageRequest) {
        self.program = program
        self.status = status
        self.page = page
    }
}
