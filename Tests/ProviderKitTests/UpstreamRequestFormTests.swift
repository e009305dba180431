import SecretMemory
import Testing

@testable import ProviderKit

@Suite("How a form is written")
struct UpstreamRequestFormTests {
    private func form(_ members: [(name: String, value: SecretText)]) -> UpstreamRequest {
        .form(
            "https://acme.example/keys", members: members, headers: [.init("Acme-Version", "2020-08-27")],
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", deadline: .now)
    }

    @Test func namesAndValuesArePercentEncodedInOrder() {
        let request = form([
            ("issuing_card", SecretText("ic_1")), ("expand[]", SecretText("a b+c&d=e%f")), ("name", SecretText("Zoë")),
            ("empty", SecretText("")),
        ])
        #expect(
            request.body?.revealText() == "issuing_card=ic_1&expand%5B%5D=a%20b%2Bc%26d%3De%25f&name=Zo%C3%AB&empty=")
    }

    @Test func theFieldsSayWhatIsSentAndWanted() {
        let request = form([("a", SecretText("b"))])
        #expect(request.method == .post)
        #expect(
            request.headers.map { "\($0.name): \($0.value.reveal())" } == [
                "Acme-Version: 2020-08-27", "Accept: application/json",
                "Content-Type: application/x-www-form-urlencoded",
                "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            ])
    }

    @Test func noMembersAreAnEmptyBody() {
        #expect(form([]).body?.count == 0)
    }
}
