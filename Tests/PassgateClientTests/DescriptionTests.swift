import Foundation
import PassgateWallet
import Testing

@testable import PassgateClient

/// What the API's description says of answers and requests, the kits' types hold: each member, and no other.
@Suite struct DescriptionTests {
    /// A schema, and what the kits make of a value of it: the value again.
    struct Counterpart: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let copy: @Sendable (Data) throws -> Data

        init<Value: Codable & SendableMetatype>(_ schema: String, _: Value.Type) {
            testDescription = schema
            copy = { try JSONEncoder().encode(JSONDecoder().decode(Value.self, from: $0)) }
        }
    }

    static let counterparts: [Counterpart] = [
        .init("Card", Card.self), .init("CardList", Page<Card>.self), .init("CardImport", CardImportReport.self),
        .init("CardInput", CardDraft.self), .init("CardBindingInput", BindingDraft.self),
        .init("BindingInput", BindingChange.self), .init("WalletEligibility", WalletEligibility.self),
        .init("WalletButton", WalletButton.self), .init("WalletButtonInput", ButtonQuestion.self),
        .init("WalletCredential", WalletCredential.self), .init("WalletCredentialInput", CredentialRequest.self),
        .init("Provisioning", ProvisioningRecord.self), .init("OutcomeInput", DeviceOutcome.self),
        .init("TimelineStep", TimelineStep.self), .init("Token", Token.self), .init("Event", Event.self),
        .init("EventDestination", EventDestination.self), .init("NewEventDestination", EventDestination.self),
        .init("EventDestinationLog", EventDestination.self), .init("EventDelivery", EventDelivery.self),
        .init("ReplayInput", ReplayRequest.self), .init("EventReplay", EventReplay.self),
        .init("MigrationInput", MigrationDraft.self), .init("Migration", Migration.self),
        .init("OpenedMigration", Migration.self), .init("MigrationReport", MigrationReport.self),
        .init("Capability", Capability.self), .init("Health", HealthReport.self), .init("Readiness", HealthReport.self),
        .init("ProblemType", ProblemPage.self), .init("Problem", PassgateProblem.self),
        .init("GooglePayOpaqueCard", GooglePayOpaqueCard.self), .init("D1Authorization", D1Authorization.self),
        .init("TPCAuthorization", TPCAuthorization.self),
    ]

    @Test(arguments: counterparts, [true, false])
    func aValueIsReadWhole(_ counterpart: Counterpart, _ isFull: Bool) throws {
        // In a request the kit leaves out what is not there: it never sends null.
        if !isFull, counterpart.testDescription.hasSuffix("Input") { return }
        var described = try DescribedValue(description: Contract.json("openapi.json"))
        described.isFull = isFull
        #expect(described.names.contains(counterpart.testDescription))
        let value = described.value(of: counterpart.testDescription)
        let copy = try JSONDecoder().decode(JSONValue.self, from: counterpart.copy(JSONEncoder().encode(value)))
        #expect(copy.withoutNulls == value.withoutTheHandoff.withoutNulls)
    }

    /// The wish with what the backend adds is the request.
    @Test func aProvisioningIsAskedForWhole() throws {
        let value = try DescribedValue(description: Contract.json("openapi.json")).value(of: "ProvisioningInput")
        let data = try JSONEncoder().encode(value)
        struct Rest: Decodable {
            let cardholder: CardholderProof
            let thales: ThalesPayload
        }
        let rest = try JSONDecoder().decode(Rest.self, from: data)
        let request = ProvisionRequest(
            wish: try JSONDecoder().decode(ProvisioningWish.self, from: data), cardholder: rest.cardholder,
            thales: rest.thales)
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(request)) == value)
    }
}

extension JSONValue {
    /// A record never keeps the handoff, and a handoff's kind is not a member of its payload's type.
    fileprivate var withoutTheHandoff: JSONValue {
        guard var members, members["object"] == .text("provisioning") || members["type"]?.text?.contains("_") == true
        else { return self }
        members["handoff"] = nil
        if members["object"] == nil { members["type"] = nil }
        return .object(members)
    }
}
