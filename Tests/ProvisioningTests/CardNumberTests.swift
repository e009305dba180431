import Provisioning
import Testing

@Suite("What may be a card number")
struct CardNumberTests {
    @Test(arguments: [
        ("4111111111111111", true), ("x4111-1111 1111.1111y", true), ("378282246310005", true),
        ("4111111111111112", false), ("411111111111", false), ("41111111111111110000", false),
        ("4111  1111  1111  1111", false), ("0000000000000000", false), ("2026-11-30T12:00:00.000Z", false),
        ("req_4111a1111b1111c1111", false),
    ])
    func isFoundByItsCheckDigit(_ text: String, _ occurs: Bool) {
        #expect(CardNumber.occurs(in: text.utf8) == occurs)
    }

    @Test func isNeverReportedAsACode() {
        #expect(UpstreamReport(status: 400, code: "4111111111111111", requestID: "r-4111-1111-1111-1111").code == nil)
        #expect(UpstreamReport(status: 400, requestID: "r-4111-1111-1111-1111").requestID == nil)
        #expect(UpstreamReport(status: 400, code: "card_declined").code == "card_declined")
    }
}
