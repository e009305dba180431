public import Provisioning

/// A binding of a card as it is to be.
public struct BindingDraft: Sendable, Equatable {
    /// The card.
    public var key: CardKey
    /// The card at the processor. Of the id that the binding has, a member that is nil is left as it is.
    public var binding: CardBinding
    /// What the binding is to be used for.
    public var state: StoredBinding.State
    /// The providers' ids by connection, for the events.
    public var providers: [String: String]
    /// When it is.
    public var at: Timestamp

    /// Makes a draft of its members.
    public init(
        key: CardKey, binding: CardBinding, state: StoredBinding.State, providers: [String: String] = [:], at: Timestamp
    ) {
        self.key = key
        self.binding = binding
        self.state = state
        self.providers = providers
        self.at = at
    }
}

/// What became of a binding's draft.
public enum PutBindingResult: Sendable, Equatable {
    /// The card has one binding more.
    case created(StoredCard)
    /// The binding was there, and is as drafted.
    case updated(StoredCard)
    /// There is no such card.
    case unknownCard
    /// It is the active binding, and the draft would leave the card without one. The connections of bindings that could
    /// be made active instead.
    case leavesNoneActive(others: [String])
    /// Another card of the program has, or had, the processor's card.
    case bindingConflict
    /// A card of another program has, or had, it.
    case boundElsewhere
}
