public import Provisioning

/// The platform's own name of a card: its id within a program.
public struct CardKey: Sendable, Hashable {
    /// The program.
    public let program: String
    /// The card's id, `[A-Za-z0-9_-]{1,64}`.
    public let id: String

    /// Makes a key of its members.
    public init(program: String, id: String) {
        self.program = program
        self.id = id
    }
}

/// A card as it is kept.
public struct StoredCard: Sendable, Equatable {
    /// Program and id.
    public var key: CardKey
    /// The cardholder's id at the platform.
    public var cardholderID: String
    /// The cardholder's name, as on the card.
    public var cardholderName: String
    /// The card's name for people.
    public var title: String?
    /// Where the card's picture is.
    public var artURL: String?
    /// The platform's own members, a JSON object as canonical text.
    public var metadata: String?
    /// Which cards at which processors it stands for.
    public var bindings: [StoredBinding]
    /// What the migration in force in its program means for it, as of when it was read; nil where there is none.
    public var migration: CardMigration?
    /// When it was created.
    public var createdAt: Timestamp
    /// When it was last changed.
    public var updatedAt: Timestamp

    /// Makes a card of its members.
    public init(
        key: CardKey, cardholderID: String, cardholderName: String, title: String?, artURL: String?,
        metadata: String?, bindings: [StoredBinding], createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.key = key
        self.cardholderID = cardholderID
        self.cardholderName = cardholderName
        self.title = title
        self.artURL = artURL
        self.metadata = metadata
        self.bindings = bindings
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The binding that is active; nil after all were retired.
    public var activeBinding: StoredBinding? { bindings.first { $0.state == .active } }
}

/// A binding as it is kept.
public struct StoredBinding: Sendable, Equatable {
    /// What a binding is used for.
    public enum State: String, Sendable, CaseIterable {
        /// It serves the card, unless a migration routes elsewhere.
        case active
        /// It can serve once a migration routes to it.
        case standby
        /// It serves nothing new; its tokens and webhooks go on.
        case retired
    }

    /// The card at the processor.
    public var card: CardBinding
    /// Ids that the card had at the same connection before a replacement.
    public var formerIDs: [String]
    /// What it is used for.
    public var state: State

    /// Makes a binding of its members.
    public init(card: CardBinding, formerIDs: [String] = [], state: State = .active) {
        self.card = card
        self.formerIDs = formerIDs
        self.state = state
    }
}

/// A card to create, or the changes to one.
public struct CardDraft: Sendable, Equatable {
    /// Program and id.
    public var key: CardKey
    /// Needed at creation; may be left out after.
    public var binding: CardBinding?
    /// The cardholder's id at the platform; needed at creation.
    public var cardholderID: String?
    /// The cardholder's name; needed at creation.
    public var cardholderName: String?
    /// The card's name for people; nil leaves it.
    public var title: String?
    /// Where the card's picture is; nil leaves it.
    public var artURL: String?
    /// A JSON object as canonical text; nil leaves it.
    public var metadata: String?
    /// When it is.
    public var at: Timestamp

    /// Makes a draft of its members.
    public init(
        key: CardKey, binding: CardBinding?, cardholderID: String?, cardholderName: String?, title: String?,
        artURL: String?, metadata: String?, at: Timestamp
    ) {
        self.key = key
        self.binding = binding
        self.cardholderID = cardholderID
        self.cardholderName = cardholderName
        self.title = title
        self.artURL = artURL
        self.metadata = metadata
        self.at = at
    }
}

/// What became of a draft.
public enum PutCardResult: Sendable, Equatable {
    /// The card is new.
    case created(StoredCard)
    /// The card was there, and is as drafted.
    case updated(StoredCard)
    /// The card is new, and the draft lacks what a new card needs: the members, as JSON pointers.
    case incomplete([String])
    /// The binding differs from every binding of the card (in any member that the draft gives), or another card of the
    /// program has it.
    case bindingConflict
    /// A card of another program has the binding.
    case boundElsewhere
}

/// Which cards are wanted.
public struct CardQuery: Sendable {
    /// The program.
    public var program: String
    /// Only cards with a binding at this connection.
    public var connection: String?
    /// Only cards of this cardholder.
    public var cardholderID: String?
    /// Where the page begins.
    public var page: PageRequest

    /// Makes a query of its members.
    public init(program: String, connection: String? = nil, cardholderID: String? = nil, page: PageRequest) {
        self.program = program
        self.connection = connection
        self.cardholderID = cardholderID
        self.page = page
    }
}
