/// What Google's tokens of the card make of the button.
///
/// The rows are in the order of what counts most: one token that waits for verification is resumed, whatever else there is;
/// any other means that the card is there.
///
/// Upstream reference: "Update your app", Android, of <https://docs.stripe.com/issuing/cards/digital-wallets>.
enum GoogleTokenTable {
    static let rows: [(state: GoogleTokenState, verdict: ButtonVerdict)] = [
        (.needsIdentityVerification, .show(.resumeVerification, on: .phone, .tokenNeedsVerification)),
        (.active, .hide(.tokenActive)),
        (.suspended, .hide(.tokenSuspended)),
        (.pending, .hide(.tokenPending)),
        (.felicaPendingProvisioning, .hide(.tokenFelicaPending)),
        (.untokenized, .hide(.tokenUntokenized)),
    ]
    /// Whatever its state, it is there.
    static let unknown = ButtonVerdict.hide(.tokenStateUnknown)
    static let none = ButtonVerdict.show(.add, on: .phone, .noTokenOfCard)

    /// - Parameter tokens: Those of the card.
    static func verdict(_ tokens: [DeviceToken]) -> ButtonVerdict {
        if tokens.isEmpty { return none }
        let states = Set(tokens.compactMap { GoogleTokenState($0.state) })
        return rows.first { states.contains($0.state) }?.verdict ?? unknown
    }
}
