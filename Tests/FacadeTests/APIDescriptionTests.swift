import Gateway
import ProviderKit
import Provisioning
import Storage
import Testing

@testable import Facade

/// The description cannot say anything else than the code does.
@Suite("The API's description is that of the routes") struct APIDescriptionTests {
    private let description: Description

    init() throws { description = try Description() }

    @Test func everyRouteIsDescribedAndNothingElse() {
        let described = description.operations.map { "\($0.method) \($0.path)" }
        #expect(Set(described) == Set(RouteTable.shared.routes.map { "\($0.method) \($0.template)" }))
        let ids = description.operations.compactMap { $0.value["operationId"]?.string }
        #expect(ids.count == described.count && Set(ids).count == ids.count)
    }

    @Test func everyOperationNeedsWhatItsRouteNeeds() throws {
        for operation in description.operations {
            let route = try #require(served(operation))
            let name: Comment = "\(operation.method) \(operation.path)"
            let security = operation.value["security"]?.elements ?? []
            let scopes = security.first?["apiKey"]?.elements?.compactMap(\.string)
            switch route.access {
            case .open: #expect(security.isEmpty, name)
            case .key: #expect(scopes == [], name)
            case .scope(let scope):
                #expect(scopes == [scope.rawValue] && operation.value["x-scope"]?.string == scope.rawValue, name)
            }
            let isOfAProgram = if case .scope = route.access { true } else { false }
            #expect(
                description.parameters(of: operation, in: "header").contains("Passgate-Program") == isOfAProgram, name)
            let placeholders = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
            #expect(
                description.parameters(of: operation, in: "path") == placeholders.map { $0.trimming("{}") }, name)
        }
    }

    @Test func everyOperationTakesTheBodyThatItsRouteTakes() throws {
        for operation in description.operations {
            let route = try #require(served(operation))
            let body = operation.value["requestBody"]
            let media = body?["content"]?.members?.map(\.name)
            if let expected = route.body {
                #expect(media == [expected.rawValue] && body?["required"]?.bool == true, "\(operation.path)")
            } else if let media {
                // A body that may be left out, and a delivery of whatever type.
                #expect(media == ["*/*"] || body?["required"]?.bool == false, "\(operation.path)")
            }
        }
    }

    @Test func theScopesAreAllOfThem() {
        let text = description.value("components/securitySchemes/apiKey/description")?.string ?? ""
        for scope in Scope.allCases { #expect(text.contains("`\(scope.rawValue)`")) }
    }

    @Test func theCodesAreThoseOfTheCatalogue() {
        #expect(description.words("ErrorCode") == ProblemCode.allCases.map(\.rawValue))
    }

    @Test func everyProblemHasTheStatusOfItsCodes() throws {
        for (name, response) in try #require(description.value("components/responses")?.members) {
            let parts = response["content"]?["application/problem+json"]?["schema"]?["allOf"]?.elements ?? []
            let codes = parts.compactMap { $0["properties"]?["code"]?["enum"]?.elements }.joined().compactMap(\.string)
            let status = try #require(name.split(separator: ".").first.flatMap { Int($0) })
            #expect(!codes.isEmpty && codes.allSatisfy { ProblemCode(rawValue: $0)?.entry.status == status }, "\(name)")
            let known = codes.compactMap(ProblemCode.init)
            #expect((response["headers"]?["WWW-Authenticate"] != nil) == known.contains(.unauthenticated), "\(name)")
        }
    }

    @Test(arguments: bodies)
    func everyBodyHasTheMembersThatItsReaderKnows(path: String, known: KnownMembers) throws {
        let schema = try #require(description.schema(path), "\(path)")
        #expect(schema["properties"]?.members?.map(\.name).sorted() ?? [] == known.names.sorted())
        #expect(schema["additionalProperties"]?.bool == false)
    }

    @Test(arguments: vocabularies)
    func everyWordIsOneOfTheCodes(path: String, words: [String]) {
        #expect(description.words(path).sorted() == words.sorted())
    }

    /// Says an unknown parameter to every route, and reads which ones it knows.
    @Test func everyOperationTakesTheParametersThatItsReaderKnows() async throws {
        try await FacadeFixture.run { fixture in
            for operation in description.operations {
                let route = try #require(served(operation))
                if route.access == .open { continue }
                let target = operation.path.replacing(/{\w+}/, with: "x") + "?qqqqqqqqqq=1"
                let answer =
                    if route.body == .lines {
                        await fixture.stream(target, [])
                    } else {
                        await fixture.send(operation.method, target, body: route.body == nil ? nil : "{}")
                    }
                #expect(answer.pointers == ["/qqqqqqqqqq"], "\(operation.path)")
                let names = answer.details.joined().matches(of: /`(\w+)`/).map { String($0.output.1) }
                #expect(
                    names.sorted() == description.parameters(of: operation, in: "query").sorted(), "\(operation.path)")
            }
        }
    }

    @Test func theDocumentIsServedUnderTheGatewaysOwnURL() async throws {
        try await FacadeFixture.run { fixture in
            let answer = await fixture.send("GET", "/openapi.json", key: nil)
            #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
            #expect(answer.json?["servers"]?.elements?.first?["url"]?.string == "https://passgate.example")
            let paths = answer.json?["paths"]?.members?.map(\.name)
            #expect(paths == description.root["paths"]?.members?.map(\.name))
            let tag = try #require(answer.header("ETag"))
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let same = await fixture.send(
                    "GET", "/openapi.json", key: nil, headers: [(name: "if-none-match", value: known)])
                #expect(same.status == 304 && same.text.isEmpty && same.header("ETag") == tag)
            }
            let other = await fixture.send(
                "GET", "/openapi.json", key: nil, headers: [(name: "if-none-match", value: "\"other\"")])
            #expect(other.status == 200)
        }
    }

    @Test func anotherGatewaysDocumentDiffersInItsURLAlone() {
        let (here, there) = (
            APIDescription(publicURL: "https://a.example"), APIDescription(publicURL: "https://b.example/\"x")
        )
        #expect(here.tag != there.tag)
        #expect(there.text == here.text.replacing(#""https://a.example""#, with: #""https://b.example/\"x""#))
        #expect(here.text.contains(#""url": "https://a.example""#) && !here.text.contains(#""url": "https://passgate"#))
    }

    private func served(_ operation: Description.Operation) -> Route? {
        RouteTable.shared.routes.first { $0.method == operation.method && $0.template == operation.path }
    }

    private static let bodies: [(String, KnownMembers)] = [
        ("CardInput", CardBody.card), ("CardLine", CardBody.line), ("CardInput/cardholder", CardBody.cardholder),
        ("CardInput/binding", BindingMembers.known), ("BindingInput", BindingMembers.knownOfConnection),
        ("WalletButtonInput", ButtonBody.request), ("WalletButtonInput/device", ButtonBody.device),
        ("WalletButtonInput/device/tokens/[]", ButtonBody.token), ("WalletCredentialInput", CredentialBody.request),
        ("ProvisioningInput", ProvisionBody.request), ("ProvisioningInput/cardholder", ProvisionBody.cardholder),
        ("ProvisioningInput/cardholder/authentication", ProvisionBody.authentication),
        ("ProvisioningInput/apple_pay", ProvisionBody.applePay),
        ("ProvisioningInput/google_pay", ProvisionBody.googlePay), ("ProvisioningInput/client", ProvisionBody.client),
        ("ProvisioningInput/thales", ProvisionBody.thales), ("OutcomeInput", OutcomeBody.request),
        ("OutcomeInput/error", OutcomeBody.error), ("EventDestinationInput", DestinationBody.request),
        ("ReplayInput", ReplayBody.request), ("MigrationInput", MigrationBody.migration),
        ("MigrationInput/cohort", MigrationBody.cohort), ("MigrationInput/guard", MigrationBody.guarding),
        ("AdvanceInput", MigrationBody.growth), ("EmptyObject", KnownMembers([])),
    ]

    private static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> [String]
    where Word.RawValue == String { Word.allCases.map(\.rawValue) }

    private static let vocabularies: [(String, [String])] = [
        ("RetryClass", words(RetryClass.self)), ("Problem/outcome", words(ProvisioningOutcome.self)),
        ("Provisioning/status", words(ProvisioningStatus.self)), ("Provisioning/wallet", words(Wallet.self)),
        ("Provisioning/channel", words(WalletChannel.self)), ("Provisioning/origin", words(ProvisioningOrigin.self)),
        ("ProvisioningInput/channel", words(WalletChannel.self)),
        ("ProvisioningInput/origin", words(ProvisioningOrigin.self)),
        ("ProvisioningInput/accept/[]", words(HandoffType.self)),
        ("WalletEligibility/handoff", words(HandoffType.self)),
        ("Provisioning/settlement/by", words(StoredSettlement.Source.self)), ("Token/status", words(TokenStatus.self)),
        ("Binding/state", words(StoredBinding.State.self)), ("BindingInput/state", words(StoredBinding.State.self)),
        ("WalletButtonInput/device/local_pass", words(PassState.self)),
        ("WalletButton/action", words(ButtonAction.self)),
        ("WalletButton/target", words(ButtonTarget.self)), ("WalletButton/reason", words(ButtonReason.self)),
        ("WalletCredentialInput/purpose", words(WalletCredentialPurpose.self)),
        ("OutcomeInput/result", words(DeviceReport.Result.self)), ("Event/type", words(EventType.self)),
        ("EventDestination/status", words(StoredDestination.Status.self)),
        ("EventDelivery/status", words(StoredDelivery.Status.self)),
        ("Migration/mode", words(StoredMigration.Mode.self)), ("Migration/status", words(StoredMigration.Status.self)),
        ("Migration/guard/action", words(StoredMigration.Guard.Action.self)),
        ("OpenedMigration/preflight/connections/[]/health", words(ConnectionHealth.self)),
        ("OpenedMigration/preflight/connections/[]/credentials", words(CredentialStanding.self)),
        ("MigrationReport/eligibility/proves_nothing", words(EligibilityGap.self)),
        ("MigrationReport/guard/looks/[]/stage", words(SwitchStage.self)),
    ]
}

extension Substring {
    fileprivate func trimming(_ characters: String) -> String { String(filter { !characters.contains($0) }) }
}
