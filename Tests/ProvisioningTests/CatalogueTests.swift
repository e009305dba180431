import Foundation
import Provisioning
import Testing

/// `Contracts/errors.json` and the Swift catalogue are one table. Whoever changes one changes the other.
struct CatalogueTests {
    private struct Contract: Decodable {
        let errors: [Row]
        let retryClasses: [Advice]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case errors
            case retryClasses = "retry_classes"
        }
    }

    private struct Advice: Decodable {
        let retry: String
        let whatToDo: String

        enum CodingKeys: String, CodingKey {
            case retry
            case whatToDo = "what_to_do"
        }
    }

    private struct Row: Decodable, Equatable {
        let code: String
        let status: Int
        let title: String
        let meaning: String
        let whatToDo: String
        let retry: [String: String]
        let userMessageKey: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case code, status, title, meaning, retry
            case whatToDo = "what_to_do"
            case userMessageKey = "user_message_key"
        }
    }

    private static func contract() throws -> Data {
        var folder = URL(filePath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return try Data(contentsOf: folder.appending(path: "Contracts/errors.json"))
    }

    @Test func equalsTheContract() throws {
        let contract = try JSONDecoder().decode(Contract.self, from: Self.contract())
        #expect(contract.retryClasses.map(\.retry) == RetryClass.allCases.map(\.rawValue))
        #expect(contract.retryClasses.allSatisfy { $0.whatToDo.hasSuffix(".") })
        let rows = contract.errors
        #expect(rows.map(\.code) == ProblemCode.allCases.map(\.rawValue))
        for (row, code) in zip(rows, ProblemCode.allCases) {
            let entry = code.entry
            let retry = entry.retry.map { ($0.key.rawValue, $0.value.rawValue) }
            // The advice is the facade's: its tests compare it.
            let ours = Row(
                code: code.rawValue, status: entry.status, title: entry.title, meaning: entry.meaning,
                whatToDo: row.whatToDo, retry: Dictionary(uniqueKeysWithValues: retry),
                userMessageKey: code.userMessageKey)
            #expect(row == ours)
        }
    }

    @Test func hasNoMembersInTheContractThatNobodyCompares() throws {
        let root = try #require(JSONSerialization.jsonObject(with: Self.contract()) as? [String: Any])
        #expect(Set(root.keys) == Set(Contract.CodingKeys.allCases.map(\.rawValue)))
        let rows = try #require(root["errors"] as? [[String: Any]])
        for row in rows { #expect(Set(row.keys) == Set(Row.CodingKeys.allCases.map(\.rawValue))) }
    }

    @Test(arguments: ProblemCode.allCases) func saysWhatToDoNextInEverySituation(_ code: ProblemCode) {
        let entry = code.entry
        #expect((400...599).contains(entry.status))
        #expect(!entry.title.isEmpty && !entry.title.hasSuffix("."))
        #expect(entry.meaning.hasSuffix("."))
        #expect(!entry.retry.isEmpty)
        for situation in RetrySituation.allCases {
            let advice = code.retry(in: situation)
            #expect(entry.retry[situation] == nil || entry.retry[situation] == advice)
            #expect(entry.retry.values.contains(advice))
            if situation == .sentSingleUse, entry.retry[situation] != nil {
                #expect(advice != .sameRequest && advice != .afterDelay, "what is spent cannot be sent again")
            }
        }
    }

    /// The rows of the design that differ by situation.
    @Test(arguments: [
        (ProblemCode.providerTimeout, [RetryClass.afterDelay, .sameRequest, .checkWalletFirst]),
        (.providerUnavailable, [.afterDelay, .afterDelay, .freshHandshake]),
        (.providerRateLimited, [.afterDelay, .afterDelay, .freshHandshake]),
        (.internalError, [.afterDelay, .afterDelay, .checkWalletFirst]),
        (.providerRejected, [.never, .never, .never]), (.providerUnauthorized, [.never, .never, .never]),
    ])
    func advisesByWhatHadHappened(_ code: ProblemCode, _ advice: [RetryClass]) {
        #expect([.notSent, .sentRepeatable, .sentSingleUse].map { code.retry(in: $0) } == advice)
    }
}
