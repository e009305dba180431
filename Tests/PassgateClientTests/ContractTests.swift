import Crypto
import Foundation
import PassgateWallet
import Testing

@testable import PassgateClient

/// The contract's files, which the server's tests write, as the kit reads them.
@Suite struct ContractTests {
    static let golden = Contract.names(in: "golden")

    @Test func everyCodeIsKnown() throws {
        struct Catalogue: Decodable {
            struct Entry: Decodable {
                let code: String
            }

            let errors: [Entry]
        }
        let catalogue = try JSONDecoder().decode(Catalogue.self, from: Contract.data("errors.json"))
        #expect(catalogue.errors.map(\.code) == ProblemCode.known.map(\.rawValue))
        #expect(Self.golden == ProblemCode.known.map { "\($0).json" }.sorted())
    }

    @Test(arguments: golden)
    func everyGoldenEnvelopeIsReadWhole(_ name: String) throws {
        let data = try Contract.data("golden/\(name)")
        let envelopes = try JSONDecoder().decode([String: PassgateProblem].self, from: data)
        #expect(!envelopes.isEmpty)
        for problem in envelopes.values {
            #expect("\(problem.code).json" == name && ProblemCode.known.contains(problem.code))
            #expect(RetryClass.known.contains(problem.retry))
            #expect(problem.outcome.map(ProblemOutcome.known.contains) ?? true)
        }
        let written = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(envelopes))
        #expect(try written == Contract.json("golden/\(name)").withoutNulls)
    }

    @Test(arguments: Contract.names(in: "handoffs"))
    func aHandoffIsPassedOnByteForByte(_ name: String) throws {
        let handoff = try Contract.data("handoffs/\(name)")
        let text = String(decoding: handoff, as: UTF8.self).trimmingCharacters(in: .newlines)
        let answer = Data(#"{"id":"prov_1","note":"\"handoff\":1","handoff": \#(text) ,"repairs":[]}"#.utf8)
        let payload = try #require(HandoffPayload(in: answer))
        #expect(payload.json == Data(text.utf8) && name.hasPrefix(payload.type.rawValue))
        #expect(try Handoff(json: payload.json).type == payload.type)
        #expect("\(payload)" == "<HandoffPayload: not shown>")
    }

    @Test func theGoldenEventIsReadWhole() throws {
        let event = try JSONDecoder().decode(Event.self, from: Contract.data("Webhooks/event.json"))
        #expect(event.type == .token(.suspended) && event.sequence == 7 && event.data.object == "token")
        #expect(event.data["provider_status"] == "https://a.example/b?c=d&e=<f>" && event.data.previousStatus == nil)
        let written = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(event))
        #expect(try written.withoutNulls == Contract.json("Webhooks/event.json").withoutNulls)
    }

    @Test func aCohortsBucketIsTheGateways() throws {
        struct Vectors: Decodable {
            struct Vector: Decodable {
                let migration: String
                let cardholder: String
                let bucket: Int
            }

            let vectors: [Vector]
        }
        let file = try JSONDecoder().decode(Vectors.self, from: Contract.data("cohort-buckets.json"))
        #expect(!file.vectors.isEmpty)
        for vector in file.vectors {
            let bucket = Cohort.bucket(ofCardholder: vector.cardholder, inMigration: vector.migration) {
                Data(SHA256.digest(of: [UInt8]($0)))
            }
            #expect(bucket == vector.bucket)
        }
    }
}
