import CheckoutProvider
import Provisioning
import Testing

@Suite("What Checkout.com's SDK says of a card in the wallets")
struct CheckoutVocabularyTests {
    /// Every word of the page, Android's and then those of iOS.
    @Test(arguments: [
        ("DIGITIZED", DigitizationState.digitized), ("NOT_DIGITIZED", .notDigitized),
        ("PENDING_IDV", .phoneVerificationRequired), ("DIGITIZATION_IN_PROGRESS", .inProgress),
        ("digitized", .digitized), ("notDigitized", .notDigitized), ("pendingIDVLocal", .phoneVerificationRequired),
        ("pendingIDVRemote", .watchVerificationRequired),
    ])
    func everyWordOfThePageHasItsMeaning(_ word: String, _ state: DigitizationState) {
        #expect(CheckoutProvider.digitizationStates[word] == state)
    }

    @Test func thePageHasNoOtherWords() { #expect(CheckoutProvider.digitizationStates.count == 8) }
}
