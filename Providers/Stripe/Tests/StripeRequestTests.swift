import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import StripeProvider
import Testing

@Suite("What Stripe is asked")
struct StripeRequestTests {
    private func sent(_ request: ProvisioningRequest, settings: TestSettings? = nil) async throws -> UpstreamRequest {
        let transport = ScriptedTransport(answers: [])
        _ = try? await StripeHarness.provider(transport, settings: settings).provision(request)
        #expect(transport.requests.count == 1)
        return try #require(transport.requests.first)
    }

    private func refusal(of request: ProvisioningRequest) async throws -> ProvisioningError {
        let transport = ScriptedTransport(answers: [])
        let provider = try StripeHarness.provider(transport)
        let checked = #expect(throws: ProvisioningError.self) { try provider.check(request) }
        let provisioned = await #expect(throws: ProvisioningError.self) { try await provider.provision(request) }
        #expect(checked == provisioned, "a check and the call itself judge alike")
        #expect(transport.requests.isEmpty)
        return try #require(checked)
    }

    private func headers(_ request: UpstreamRequest) -> [String] {
        request.headers.map { $0.name.lowercased() }.sorted()
    }

    /// S01: the version is the app's, and a request without one never reaches Stripe.
    @Test func s01WithoutTheAppsVersionNothingIsSent() async throws {
        let error = try await refusal(of: try StripeHarness.request(version: nil))
        #expect(error.code == .clientVersionRequired)
        #expect(error.outcome == .notSent)
    }

    /// S15: what is missing is named, so that an app's error path has something to show.
    @Test func s15TheMissingVersionIsNamedByItsPointer() async throws {
        let error = try await refusal(of: try StripeHarness.request(version: nil))
        #expect(error.pointer == "/client/stripe_api_version")
        #expect(error.detail?.contains("API version") == true)
    }

    @Test(arguments: [
        "", " ", "2020", "2020-8-27", "2020-08-27 ", " 2020-08-27", "2020-13-01", "2020-00-10", "2020-02-32",
        "2020-02-00", "2020-02-30", "2021-02-29", "2020-04-31", "2020-08-27.", "2020-08-27.Endive", "2020-08-27.a.b",
        "2020-08-27; issuing_beta=v1",
        "2020-08-27\r\nX-Injected: 1", "2020-08-27\n", "２０２０-08-27", "2020-08-27.é", "v2020-08-27", "latest",
        "2020-08-27." + String(repeating: "a", count: 33),
    ])
    func aVersionOfAnotherFormIsRefused(_ version: String) async throws {
        let error = try await refusal(of: try StripeHarness.request(version: version))
        #expect(error.code == .invalidRequest)
        #expect(error.outcome == .notSent)
        #expect(error.pointer == "/client/stripe_api_version")
    }

    @Test(arguments: [
        "2020-08-27", "2020-02-29", "2019-09-09", "2024-09-30.acacia", "2026-10-28.endive", "2025-03-31.preview",
    ])
    func theAppsVersionIsTheOnlyOneInTheHeaders(_ version: String) async throws {
        let request = try await sent(try StripeHarness.request(version: version))
        let versions = request.headers.filter { $0.name.lowercased() == "stripe-version" }
        #expect(versions.map { $0.value.reveal() } == [version])
    }

    /// S03: the version is a header. As a member of the form, Stripe does not know it.
    @Test(arguments: [Wallet.applePay, .googlePay])
    func s03TheFormHoldsTheCardAlone(_ wallet: Wallet) async throws {
        let request = try await sent(try StripeHarness.request(wallet))
        #expect(request.body?.revealText() == "issuing_card=ic_1GWQp6Invented")
        #expect(request.method == .post)
        #expect(request.url == "https://api.stripe.com/v1/ephemeral_keys")
    }

    @Test func anAccountIsNamedWhereItIsSetAndOnlyThere() async throws {
        let own = TestSettings([("secret_key", "k"), ("webhook_secrets", ["s"])])
        let request = try await sent(try StripeHarness.request(), settings: own)
        #expect(
            headers(request) == [
                "accept", "authorization", "content-type", "idempotency-key", "stripe-version", "traceparent",
            ])
        let connected = try await sent(try StripeHarness.request())
        let accounts = connected.headers.filter { $0.name == "Stripe-Account" }.map { $0.value.reveal() }
        #expect(accounts == ["acct_1InventedForTests"])
    }

    @Test func withoutATraceNoTraceIsSent() async throws {
        var plain = try StripeHarness.request()
        plain.traceparent = nil
        #expect(!headers(try await sent(plain)).contains("traceparent"))
    }

    @Test func everyTryOfAnAttemptHasTheAttemptsKey() async throws {
        var request = try StripeHarness.request()
        request.idempotencyKey = "prov_1"
        let keys = try await sent(request).headers.filter { $0.name == "Idempotency-Key" }.map { $0.value.reveal() }
        #expect(keys == ["prov_1"])
    }

    @Test func theCardIsReadInTheVersionOfTheConnection() async throws {
        let settings = TestSettings([
            ("secret_key", "k"), ("webhook_secrets", ["s"]), ("api_version", "2024-06-20"),
            ("base_url", "https://proxy.example/stripe/"),
        ])
        let transport = ScriptedTransport(answers: [])
        let provider = try StripeHarness.provider(transport, settings: settings)
        _ = try? await provider.eligibility(of: StripeHarness.card, wallet: .googlePay, deadline: .now + .seconds(5))
        let request = try #require(transport.requests.first)
        #expect(request.method == .get && request.body == nil)
        #expect(request.url == "https://proxy.example/stripe/v1/issuing/cards/ic_1GWQp6Invented")
        #expect(headers(request) == ["accept", "authorization", "stripe-version"])
        #expect(request.headers.first { $0.name == "Stripe-Version" }?.value.reveal() == "2024-06-20")
    }

    /// G06: Stripe's SDKs do not push to Samsung Pay, so the row is missing and a request is refused.
    @Test func g06SamsungPayIsNotServed() async throws {
        #expect(StripeProvider.descriptor.wallets.allSatisfy { $0.wallet != .samsungPay })
        let transport = ScriptedTransport(answers: [])
        let provider = try StripeHarness.provider(transport)
        var request = try StripeHarness.request()
        request.wallet = .samsungPay
        await #expect(throws: ProvisioningError(.walletUnsupported, outcome: .notSent)) {
            try await provider.provision(request)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        ("ic_1GWQp6EESaYspYZ9uSEZOcq9", true), ("ic_a", true), ("ic_", false), ("IC_a", false), ("ic_a-b", false),
        ("ic_a_b", false), ("ich_a", false), ("card_a", false), ("ic_ic_a", false), ("ic_é", false),
    ])
    func onlyItsOwnCardIDsMatch(_ id: String, _ matches: Bool) {
        #expect(StripeProvider.descriptor.cardIDPattern.matches(id) == matches)
    }
}
