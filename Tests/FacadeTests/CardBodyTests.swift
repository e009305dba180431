import Gateway
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Testing

@testable import Facade

@Suite struct CardBodyTests {
    private func read(_ text: String) throws(Problem) -> CardDraft {
        try CardBody.read(
            RequestBody(SecretBytes(utf8: text), with: JSONParser()), key: CardKey(program: "p", id: "c"),
            at: Timestamp(milliseconds: 0))
    }

    private func faults(_ text: String) -> [String] {
        do throws(Problem) {
            _ = try read(text)
            return []
        } catch {
            return error.errors.map { "\($0.pointer) \($0.code)" }
        }
    }

    private static func binding(_ members: String) -> String {
        #"{"binding": {"connection": "main", "provider_card_id": "x", \#(members)}}"#
    }

    @Test func readsEveryMember() throws {
        let draft = try read(
            """
            {"binding": {"connection": "main", "provider_card_id": "x", "provider_cardholder_id": "y",
             "last4": "0042", "network": "cb_fr", "product_id": "z"}, "cardholder": {"id": "1", "name": "Zoë"},
             "title": "Blue", "art_url": "https://art.example:8443/a?b=c#d", "metadata": {}}
            """)
        #expect(draft.binding?.last4 == "0042" && draft.binding?.network.description == "cb_fr")
        #expect(draft.binding?.providerCardholderID == "y" && draft.binding?.productID == "z")
        #expect(draft.cardholderName == "Zoë" && draft.metadata == "{}")
    }

    @Test func nullIsAbsent() throws {
        let draft = try read(#"{"binding": null, "cardholder": {"id": null}, "title": null, "metadata": null}"#)
        #expect(draft.binding == nil && draft.cardholderID == nil && draft.title == nil && draft.metadata == nil)
    }

    @Test("H18: the suffix is four digits, and no others", arguments: ["123", "12345", "１２３４", "12a4", "+123", "٤٢٤٢"])
    func refusesOtherSuffixes(last4: String) {
        #expect(faults(Self.binding(#""last4": "\#(last4)", "network": "visa""#)) == ["/binding/last4 invalid_form"])
    }

    @Test("H18: every member at fault is listed")
    func listsEveryFault() {
        let text = #"{"binding": {"last4": 4242, "network": "VISA"}, "cardholder": {"name": ""}, "title": 1}"#
        #expect(
            Set(faults(text)) == [
                "/binding/connection missing", "/binding/provider_card_id missing", "/binding/last4 wrong_type",
                "/binding/network invalid_form", "/cardholder/name empty", "/title wrong_type",
            ])
    }

    @Test(arguments: [
        (#"{"titel": "x"}"#, "/titel unknown_member"), (#"{"title": "a", "title": "b"}"#, "/title duplicate_member"),
        (#"{"title": "a\u0000b"}"#, "/title control_character"),
        (#"{"title": "a\u0085b"}"#, "/title control_character"),
        (#"{"title": " "}"#, "/title empty"), (#"{"binding": []}"#, "/binding wrong_type"),
        (#"{"cardholder": "Ada"}"#, "/cardholder wrong_type"), (#"{"4111111111111111": 1}"#, " unknown_member"),
        (#"{"a b": 1}"#, " unknown_member"), (#"{"": 1}"#, " unknown_member"),
        (#"{"cardholder": {"first~name": 1}}"#, "/cardholder unknown_member"),
        (#"{"art_url": "http://art.example/a"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://user@art.example/a"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https:///a"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example:port/a"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example:/a"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example:0/a"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example:65536/a"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://-art.example/a"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example/a%2"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example/%zz"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example/a#b#c"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example/[a]"}"#, "/art_url invalid_form"),
        (#"{"art_url": "https://art.example/a b"}"#, "/art_url invalid_form"),
        (#"{"art_url": "javascript:alert(1)"}"#, "/art_url invalid_form"),
        (#"{"metadata": []}"#, "/metadata wrong_type"), (#"{"metadata": {"a": {}}}"#, "/metadata/a wrong_type"),
        (#"{"metadata": {"a": 1, "a": 2}}"#, "/metadata/a duplicate_member"),
        (#"{"metadata": {"a": 9007199254740993}}"#, "/metadata/a out_of_range"),
        (#"{"metadata": {"a": -9223372036854775808}}"#, "/metadata/a out_of_range"),
        (#"{"metadata": {"a": 1e300}}"#, "/metadata/a out_of_range"),
        (#"{"metadata": {"": 1}}"#, "/metadata invalid_form"),
    ])
    func refuses(text: String, fault: String) {
        #expect(faults(text) == [fault])
    }

    @Test func boundsTexts() {
        let long = String(repeating: "é", count: 65)
        #expect(faults(#"{"title": "\#(long)"}"#) == ["/title too_long"])
        #expect(faults(#"{"title": "\#(long.dropLast())"}"#) == [])
        #expect(faults(#"{"metadata": {"a": "\#(String(repeating: "x", count: 501))"}}"#) == ["/metadata/a too_long"])
        let members = (0...50).map { #""m\#($0)": 1"# }.joined(separator: ",")
        #expect(faults("{\"metadata\": {\(members)}}") == ["/metadata too_long"])
    }

    @Test func takesNumbersThatEveryProgramReadsAlike() {
        for number in ["9007199254740992", "-9007199254740992", "9007199254740992.0", "0.5"] {
            #expect(faults(#"{"metadata": {"a": \#(number)}}"#) == [])
        }
    }

    @Test func keepsMetadataInOneForm() throws {
        let draft = try read(#"{"metadata": {"b": "é\"\u002f", "a": 1.0, "d": null, "c": true}}"#)
        #expect(draft.metadata == #"{"a":1,"b":"é\"/","c":true}"#)
    }

    @Test func reportsNoMoreThanHelps() {
        let text = "{" + (0..<1000).map { #""x\#($0)": 1"# }.joined(separator: ",") + "}"
        #expect(faults(text).count == 32)
    }
}
