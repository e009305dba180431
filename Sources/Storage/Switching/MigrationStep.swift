public import Provisioning

/// A wish to change a migration.
public struct MigrationStep: Sendable {
    /// By what a cohort grows.
    public enum Growth: Sendable, Equatable {
        /// To this many basis points of the cardholders.
        case percent(basisPoints: Int)
        /// By these cards.
        case cards([String])
    }

    /// What is done.
    public enum Action: Sendable, Equatable {
        /// The cohort grows.
        case advance(Growth)
        /// The cohort is frozen.
        case pause
        /// It may grow again.
        case resume
        /// Active bindings serve again.
        case rollback
        /// `to` takes over for good.
        case complete
    }

    /// The migration's id.
    public var migration: String
    /// Its program.
    public var program: String
    /// What is done.
    public var action: Action
    /// Why, where nobody asked for it.
    public var why: String?
    /// The guard's look that asks for it; nil where somebody does.
    public var look: GuardLook?
    /// The moment.
    public var at: Timestamp

    /// Makes a step of its members.
    public init(
        migration: String, program: String, action: Action, why: String? = nil, look: GuardLook? = nil,
        at moment: Timestamp
    ) {
        self.migration = migration
        self.program = program
        self.action = action
        self.why = why
        self.look = look
        at = moment
    }
}

/// Why a migration does not take a step.
public enum MigrationStepRefusal: Error, Sendable, Equatable {
    /// Its status does not allow the step.
    case status
    /// A shadow serves nothing: it cannot be completed.
    case isShadow
    /// Its cohort is not everyone yet.
    case isPartial
    /// A cohort only grows.
    case shrinks
    /// The cohort goes by percent, and the step names cards.
    case goesByPercent
    /// The cohort is a list, and the step names a percentage other than all.
    case goesByList
}

/// What became of a step.
public enum MigrationStepResult: Sendable, Equatable {
    /// It was taken: the migration as it is now.
    case taken(StoredMigration)
    /// It was refused: the migration as it stays.
    case refused(MigrationStepRefusal, StoredMigration)
    /// There is no such migration.
    case unknown
}

/// What became of the wish to open a migration.
public enum OpenMigrationResult: Sendable, Equatable {
    /// It is open.
    case opened(StoredMigration)
    /// Another of the program is in force: its id.
    case conflict(String)
}
