/// How an emulator is put into a situation: the card that does it by its id, an answer in the processor's words, or
/// settings of the connection that it does not accept.
public struct Staging: Sendable {
    /// The card that is asked for.
    public var card: EmulatedCard
    /// What meets the operation's last request.
    public var fault: ScriptedFault?
    /// Settings in place of the connection's own, written as in ``EmulatedConnection``. One with settings and no fault
    /// can be staged at the real processor too.
    public var settings: [(key: String, value: String)]

    /// The card does it by its id.
    public init(_ card: EmulatedCard, fault: ScriptedFault? = nil, settings: [(key: String, value: String)] = []) {
        self.card = card
        self.fault = fault
        self.settings = settings
    }

    /// The operation's last request is answered so.
    public init(_ card: EmulatedCard, answering response: EmulatedResponse) {
        self.init(card, fault: ScriptedFault(answering: response))
    }
}
