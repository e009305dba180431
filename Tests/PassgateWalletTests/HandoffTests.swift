import Foundation
import PassgateWallet
import Testing

/// The handoffs that the server's tests write, read as an app does.
@Suite struct HandoffTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Contracts/handoffs")

    static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []

    private func read(_ name: String) throws -> Data { try Data(contentsOf: Self.folder.appending(path: name)) }

    @Test func thereAreHandoffsOfEveryType() {
        #expect(
            Set(Self.names.compactMap { $0.split(separator: ".").first.map(String.init) })
                == Set(HandoffType.known.map(\.rawValue)))
    }

    @Test(arguments: names)
    func everyMemberIsRead(_ name: String) throws {
        let json = try read(name)
        let handoff = try Handoff(json: json)
        #expect(name.hasPrefix(handoff.type.rawValue) && HandoffType.known.contains(handoff.type))
        let written: Data
        switch handoff {
        case .applePayPass(let pass): written = try JSONEncoder().encode(pass)
        case .googlePayOpaqueCard(let card): written = try JSONEncoder().encode(card)
        case .d1Authorization(let authorization): written = try JSONEncoder().encode(authorization)
        case .tpcAuthorization(let authorization): written = try JSONEncoder().encode(authorization)
        case .stripeEphemeralKey(let key):
            #expect(String(decoding: json, as: UTF8.self).contains(String(decoding: key.ephemeralKey, as: UTF8.self)))
            #expect(key.dictionary?["secret"] as? String == "ek_test_invented")
            written = try JSONEncoder().encode(
                JSONValue.object([
                    "ephemeral_key": JSONDecoder().decode(JSONValue.self, from: key.ephemeralKey),
                    "api_version": .text(key.apiVersion), "provider_card_id": .text(key.providerCardID),
                    "expires_at": key.expiresAt.map(JSONValue.text) ?? .null,
                ]))
        case .unknown: throw HandoffFault.noHandoff
        }
        guard case .object(var expected) = try JSONDecoder().decode(JSONValue.self, from: json),
            case .object(let members) = try JSONDecoder().decode(JSONValue.self, from: written)
        else { throw HandoffFault.noHandoff }
        expected["type"] = nil
        #expect(members.filter { $0.value != .null } == expected.filter { $0.value != .null })
    }

    @Test(arguments: names)
    func nothingOfItIsShown(_ name: String) throws {
        let handoff = try Handoff(json: read(name))
        var dumped = ""
        dump(handoff, to: &dumped)
        for text in ["\(handoff)", String(reflecting: handoff), dumped] {
            #expect(text.contains("not shown") && text.count < 80)
        }
    }

    /// Each member that the type needs, taken away in turn.
    @Test(arguments: names)
    func oneThatLacksAMemberIsRefused(_ name: String) throws {
        guard case .object(let members) = try JSONDecoder().decode(JSONValue.self, from: read(name)) else {
            throw HandoffFault.noHandoff
        }
        let optional = [
            "encryption_version", "account_card", "token_card", "network", "token_service_provider",
            "product_id", "primary_account_identifier",
        ]
        let keyIsThere = name.hasPrefix("stripe") ? ["expires_at"] : []
        for (member, value) in members where member != "type" && !(optional + keyIsThere).contains(member) {
            var rest = members
            rest[member] = nil
            let json = try JSONEncoder().encode(JSONValue.object(rest))
            #expect(throws: HandoffFault.self, "\(member)") { try Handoff(json: json) }
            rest[member] = .array([value])
            let wrong = try JSONEncoder().encode(JSONValue.object(rest))
            #expect(throws: HandoffFault.self, "\(member)") { try Handoff(json: wrong) }
        }
    }

    @Test func aTypeThatIsNotKnownIsToldByItsWord() throws {
        let handoff = try Handoff(json: Data(#"{"type":"hologram","beam":1}"#.utf8))
        #expect(handoff.type == .other("hologram"))
        guard case .unknown("hologram") = handoff else {
            Issue.record("it is taken for another")
            return
        }
    }

    @Test(arguments: ["", "null", "[]", "{}", #"{"type":1}"#, "{"])
    func whatIsNoHandoffIsRefused(_ text: String) {
        #expect(throws: HandoffFault.noHandoff) { try Handoff(json: Data(text.utf8)) }
    }

    @Test func bothKeysOfAPassAreOneTooMany() {
        let json =
            #"{"type":"apple_pay_pass","activation_data":"AA==","encrypted_pass_data":"AA==","#
            + #""ephemeral_public_key":"AA==","wrapped_key":"AA=="}"#
        #expect(throws: HandoffFault.incomplete(.applePayPass)) { try Handoff(json: Data(json.utf8)) }
    }

    @Test func anAppAcceptsWhatItCanFinish() {
        #expect(HandoffType.accepted(for: .applePay) == [.applePayPass])
        #expect(
            HandoffType.accepted(for: .googlePay, with: [.stripe, .checkout])
                == [.googlePayOpaqueCard, .stripeEphemeralKey, .d1Authorization])
        #expect(
            Set(
                HandoffType.accepted(for: .applePay, with: Set(VendorSDK.allCases))
                    + HandoffType.accepted(for: .googlePay)) == Set(HandoffType.known))
    }
}
