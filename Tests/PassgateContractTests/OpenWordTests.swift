import Foundation
import PassgateContract
import Testing

/// Words that a newer gateway may add to.
@Suite struct OpenWordTests {
    @Test func aWordThatIsKnownIsItsCase() throws {
        #expect(try JSONDecoder().decode([Wallet].self, from: Data(#"["google_pay"]"#.utf8)) == [.googlePay])
        for action in ButtonAction.known { #expect(ButtonAction(rawValue: action.rawValue) == action) }
        #expect(Set(PassState.known.map(\.rawValue)).count == PassState.known.count)
    }

    @Test func aWordThatIsNotKnownIsKept() throws {
        let json = Data(#"["garmin_pay"]"#.utf8)
        let wallets = try JSONDecoder().decode([Wallet].self, from: json)
        #expect(wallets == [.other("garmin_pay")] && "\(wallets[0])" == "garmin_pay")
        #expect(try JSONEncoder().encode(wallets) == json)
    }

    @Test func aNewActionHasNoButton() throws {
        func button(_ action: String) throws -> WalletButton {
            let json =
                #"{"object":"wallet_button","show":true,"action":"\#(action)","target":"phone","reason":"r","facts":{}}"#
            return try JSONDecoder().decode(WalletButton.self, from: Data(json.utf8))
        }
        #expect(try button("dance").shownAction == nil)
        #expect(try button("add_to_watch").shownAction == .addToWatch)
    }
}
