import Gateway
import ProviderKit
import Provisioning

/// Reads the body of `POST /v1/cards/{card}/wallet_button`. Every shape is read for every wallet: an app build does not know
/// who serves the card now.
struct ButtonBody {
    /// No device holds as many tokens.
    private static let tokenLimit = 64
    private static let deviceMembers = [
        "can_add", "watch_paired", "local_pass", "remote_pass", "digitization_state", "tokens",
    ]
    static let request = KnownMembers(
        ["wallet", "device"],
        advice: Dictionary(
            uniqueKeysWithValues: deviceMembers.map { ($0, "is not known here; did you mean `/device/\($0)`?") }))
    static let device = KnownMembers(deviceMembers)
    static let token = KnownMembers(
        ["last4", "state"],
        advice: [
            "fpan_last_four": "is not known here; did you mean `last4`?",
            "token_state": "is not known here; did you mean `state`?",
        ])

    let wallet: Wallet
    let device: DeviceFacts

    /// The question that a body holds.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody) throws(Problem) -> ButtonBody {
        let findings = Findings()
        let reader = body.reader(known: request, findings: findings)
        reader.require("wallet")
        let wallet: Wallet? = reader.word("wallet")
        let device = reader.object("device", known: device).map(readDevice)
        try findings.throwAny()
        return ButtonBody(wallet: wallet ?? .applePay, device: device ?? DeviceFacts())
    }

    private static func readDevice(_ reader: ObjectReader) -> DeviceFacts {
        DeviceFacts(
            canAdd: reader.flag("can_add"), watchPaired: reader.flag("watch_paired"),
            localPass: reader.word("local_pass"), remotePass: reader.word("remote_pass"),
            digitizationState: reader.text("digitization_state", limit: 64), tokens: readTokens(reader))
    }

    private static func readTokens(_ reader: ObjectReader) -> [DeviceToken]? {
        guard let value = reader.value("tokens") else { return nil }
        guard let elements = value.elements else {
            reader.refuse("tokens", "wrong_type", "must be an array of objects: [{\"last4\", \"state\"}]")
            return nil
        }
        if elements.count > tokenLimit {
            reader.refuse("tokens", "too_long", "must have at most \(tokenLimit) elements")
            return nil
        }
        return elements.enumerated().compactMap { index, element in
            let pointer = "\(reader.pointer(to: "tokens"))/\(index)"
            guard let members = element.members else {
                reader.findings.add(pointer, "wrong_type", "must be an object: {\"last4\", \"state\"}")
                return nil
            }
            return readToken(ObjectReader(members, at: pointer, known: token, findings: reader.findings))
        }
    }

    private static func readToken(_ reader: ObjectReader) -> DeviceToken? {
        for name in ["last4", "state"] { reader.require(name) }
        guard let last4 = reader.last4("last4"), let state = readState(reader) else { return nil }
        return DeviceToken(last4: last4, state: state)
    }

    /// A number or a name that nobody knows is a state like any other: the token is there.
    private static func readState(_ reader: ObjectReader) -> DeviceToken.State? {
        guard let value = reader.value("state") else { return nil }
        if value.integer != nil { return reader.exactNumber("state").map { .number($0) } }
        guard value.kind == .string else {
            reader.refuse(
                "state", "wrong_type", "must be a name such as `TOKEN_STATE_ACTIVE`, or its number in Google's API")
            return nil
        }
        return reader.text("state", limit: 64).map { .name($0) }
    }
}
