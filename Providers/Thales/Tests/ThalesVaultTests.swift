import Crypto
import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing
import ThalesProvider

@Suite("What the platform's vault says")
struct ThalesVaultTests {
    private func failure(of response: UpstreamResponse, _ wallet: Wallet = .applePay) async throws -> ProvisioningError
    {
        let provider = try ThalesHarness.provider(ScriptedTransport { _ in response })
        return try await ThalesHarness.failure(provider, try ThalesHarness.request(wallet))
    }

    /// E04: the status decides, whatever the vault says beside it.
    @Test(
        arguments: [
            (400, .providerRejected), (401, .providerUnauthorized), (403, .providerUnauthorized),
            (404, .providerCardNotFound), (409, .providerRejected), (410, .providerCardNotFound),
            (422, .providerRejected), (429, .providerRateLimited), (302, .providerRejected),
            (500, .providerUnavailable), (502, .providerUnavailable), (503, .providerUnavailable),
            (504, .providerTimeout),
        ] as [(Int, ProblemCode)], ["", "{}", #"{"code":"already_provisioned","error":"x","type":"x"}"#, "[1]"])
    func e04EveryStatusHasItsCode(_ row: (Int, ProblemCode), _ body: String) async throws {
        let (status, code) = row
        let error = try await failure(of: .answer(status, body))
        #expect(error.code == code)
        #expect(error.outcome == (status < 500 ? .refused : .unknown))
        #expect(error.upstream == UpstreamReport(status: status))
    }

    /// E01: a page in place of an error is mapped by its status.
    @Test func e01A404AsHTMLIsMappedByStatus() async throws {
        let error = try await failure(of: .html(404, "Not Found"))
        #expect(error.code == .providerCardNotFound && error.outcome == .refused)
    }

    /// E03: a gateway's page is a failure, and its markup stays behind.
    @Test func e03A502IsNeverASuccess() async throws {
        let error = try await failure(of: .html(502, "Bad Gateway"))
        #expect(error.code == .providerUnavailable && error.outcome == .unknown)
        #expect(!String(reflecting: error).contains("<") && !String(reflecting: error).contains("Bad Gateway"))
    }

    /// E06: a failure inside a 2xx is one. The vault's reason is not ours to tell.
    @Test func e06AFailureInsideASuccessIsAViolation() async throws {
        let error = try await failure(of: .answer(200, #"{"status":"FAILED","reason":"no_such_luck"}"#))
        #expect(error.code == .providerContractViolation && error.upstream == UpstreamReport(status: 200))
    }

    /// E09: what the client throws goes by the same rules as what the vault answers.
    @Test(
        arguments: [
            (.notSent(.unreachable), .providerUnavailable, .notSent), (.notSent(.tls), .providerUnavailable, .notSent),
            (.notSent(.deadline), .providerTimeout, .notSent),
            (.outcomeUnknown(.broken), .providerTimeout, .unknown),
        ] as [(TransportFailure, ProblemCode, ProvisioningOutcome)])
    func e09FailuresWithoutAnAnswerHaveTheirCodesToo(
        _ thrown: TransportFailure, _ code: ProblemCode, _ outcome: ProvisioningOutcome
    ) async throws {
        let provider = try ThalesHarness.provider(ScriptedTransport { _ throws(TransportFailure) in throw thrown })
        let error = try await ThalesHarness.failure(provider, try ThalesHarness.request())
        #expect(error.code == code && error.outcome == outcome)
    }

    /// E12: what is not known is not tried again for its own sake; reading the vault spends nothing, so its failures are.
    @Test func e12AnUnknownRefusalIsForGoodAndAFailureIsNot() async throws {
        let refusal = try await failure(of: .answer(418, "{}"))
        #expect(refusal.code.retry(in: .sentRepeatable) == .never)
        let failure = try await failure(of: .answer(599, "{}"))
        #expect(failure.code.retry(in: .sentRepeatable) == .afterDelay)
        for row in ThalesProvider.descriptor.wallets { #expect(row.allowsRepeat(of: .none) && !row.isSingleUse) }
    }

    private static let number = ThalesHarness.number

    /// What is no card number is refused, and never quoted.
    @Test(arguments: [
        String(number.dropLast()) + "2", String(number.dropLast(5)), number + number, "", " " + number,
        "4111 1111 1111 1111", "4111-1111-1111-1111", String(repeating: "0", count: 16), "４１１１１１１１１１１１１１１１",
        "tok_" + number,
    ])
    func aBadNumberBreaksTheContract(_ number: String) async throws {
        let error = try await failure(of: .answer(200, ThalesHarness.body(number: number)))
        #expect(error.code == .providerContractViolation && error.outcome == .unknown)
        #expect(error.detail?.contains("pan") == true)
        #expect(number.isEmpty || !String(reflecting: error).contains(number))
    }

    @Test(arguments: ["1331", "0031", "11/31", "2031-11", "112031", "131", "", "１１３１", "Nov1"])
    func aBadExpiryBreaksTheContract(_ expiry: String) async throws {
        let error = try await failure(of: .answer(200, ThalesHarness.body(expiry: expiry)))
        #expect(error.code == .providerContractViolation && error.detail?.contains("expiry") == true)
        #expect(!String(reflecting: error).contains(Self.number))
        #expect(expiry.isEmpty || !String(reflecting: error).contains(expiry))
    }

    @Test(arguments: [
        #""pan":\#(number),"expiry":"1131","cardholder_name":"I"}"#,
        #""pan":"\#(number)","expiry":1131,"cardholder_name":"I"}"#,
        #""pan":"\#(number)","expiry":"1131","cardholder_name":7}"#, #""pan":"\#(number)","expiry":"1131"}"#,
        #""pan":"\#(number)","expiry":"1131","cardholder_name":""}"#,
        #""pan":["\#(number)"],"expiry":"1131","cardholder_name":"I"}"#,
        #""card":{"pan":"\#(number)","expiry":"1131","cardholder_name":"I"}}"#,
        #""pan":null,"expiry":"1131","cardholder_name":"I"}"#,
        #""expiry":"1131","cardholder_name":"I"}"#, #""pan":"\#(number)","cardholder_name":"I"}"#,
    ])
    func wrongTypesBreakTheContract(_ members: String) async throws {
        let error = try await failure(of: .answer(200, "{" + members))
        #expect(error.code == .providerContractViolation)
        #expect(!String(reflecting: error).contains(Self.number))
    }

    /// A vault that puts a card number where words belong finds nobody who passes it on.
    @Test func aNumberInAFailureIsNotTold() async throws {
        let body = #"{"error":"\#(Self.number)","code":"\#(Self.number)","request_id":"\#(Self.number)"}"#
        let error = try await failure(of: .answer(422, body, headers: [("x-request-id", Self.number)]))
        #expect(error.upstream == UpstreamReport(status: 422))
        #expect(!String(reflecting: error).contains(Self.number))
    }

    @Test(arguments: [12, 13, 15, 16, 19])
    func numbersOfEveryLengthAreTaken(_ length: Int) async throws {
        let digits = String(repeating: "5", count: length - 1)
        let numbers = (0...9).map { digits + String($0) }
        var taken = 0
        for number in numbers {
            let provider = try ThalesHarness.provider(answering: ThalesHarness.body(number: number))
            if (try? await provider.provision(try ThalesHarness.request())) != nil { taken += 1 }
        }
        #expect(taken == 1, "one check digit of ten is right")
    }

    @Test func theVaultIsReadOnceForEachHandoff() async throws {
        let transport = ScriptedTransport { _ in .answer(200, ThalesHarness.body()) }
        let provider = try ThalesHarness.provider(transport)
        for wallet in [Wallet.applePay, .googlePay] {
            _ = try await provider.provision(try ThalesHarness.request(wallet))
        }
        #expect(
            transport.requests.map(\.url)
                == Array(repeating: "https://vault.example/cards/card-ref_0001/data", count: 2))
        #expect(transport.requests.allSatisfy { $0.method == .get && $0.body == nil })
    }

    @Test func aRequestShowsNoToken() async throws {
        let transport = ScriptedTransport { _ in .answer(200, ThalesHarness.body()) }
        _ = try await ThalesHarness.provider(transport).provision(try ThalesHarness.request())
        let request = try #require(transport.requests.first)
        #expect(!String(reflecting: request).contains(ThalesHarness.vaultToken))
    }
}
