import ProviderKit
import Provisioning
import SecretMemory

/// Google's side of one attempt, in app or on the web: ids out, opaque cards in.
struct OpaqueCardAttempt: DeviceAttempt {
    let network: SimulatedNetwork
    let walletID: SecretText?
    let deviceID: SecretText?
    let sessionID: SecretText?
    let expectsTokenCard: Bool
    let expectsAccountCard: Bool

    /// An id as Google makes them: opaque, and different every time.
    static func newID(_ kind: String) -> SecretText {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        return SecretText(
            "sim-\(kind)-" + String((0..<24).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] }))
    }

    var secrets: [SecretBytes] { [sessionID].compactMap { $0?.bytes } }

    func writeHandshake(into json: inout JSONWriter) {
        json.member(
            "google_pay",
            object: { json in
                if let walletID { json.member("wallet_id", walletID) }
                if let deviceID { json.member("device_id", deviceID) }
                if let sessionID { json.member("server_session_id", sessionID) }
            })
    }

    func finish(_ handoff: JSONView) throws(DeviceFailure) -> DeviceVerdict {
        guard handoff["type"]?.equals("google_pay_opaque_card") == true else {
            throw DeviceFailure("the handoff is not made of opaque cards")
        }
        let tokenCard = try open(
            handoff["token_card"], .tokenServiceProvider, isExpected: expectsTokenCard, isWanted: expectsTokenCard)
        let accountCard = try open(
            handoff["account_card"], .googleAccount, isExpected: expectsAccountCard, isWanted: sessionID != nil)
        guard let token = tokenCard ?? accountCard else { throw DeviceFailure("the handoff holds no card") }
        guard handoff["last4"]?.equals(token.cardLast4) == true else {
            throw DeviceFailure("the handoff's last four digits are not the card's")
        }
        switch (tokenCard, accountCard) {
        case (_?, _?): return DeviceVerdict(deed: "opened both cards", token: token)
        case (_?, nil): return DeviceVerdict(deed: "opened the token card", token: token)
        default: return DeviceVerdict(deed: "opened the account card", token: token)
        }
    }

    private func open(
        _ card: JSONView?, _ reader: SimulatedNetwork.OpaqueCardReader, isExpected: Bool, isWanted: Bool
    ) throws(DeviceFailure) -> SimulatedToken? {
        guard let text = card?.secretText else {
            if isExpected { throw DeviceFailure("the card for the \(reader.rawValue) is missing") }
            return nil
        }
        if !isWanted { throw DeviceFailure("there is a card for the \(reader.rawValue) that nobody asked for") }
        return try network.open(text, as: reader)
    }
}
