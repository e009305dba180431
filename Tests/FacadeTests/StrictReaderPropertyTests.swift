import Gateway
import JSON
import Provisioning
import SecretMemory
import Storage
import Testing

@testable import Facade

/// Random requests, made of members that mean something and of some that do not.
@Suite struct StrictReaderPropertyTests {
    @Test func everyRefusalNamesAMemberOfTheRequest() {
        var maker = RequestMaker(seed: 20_260_131)
        var refused = 0
        for _ in 0..<3000 {
            let text = maker.object(depth: 0)
            do throws(Problem) {
                let body = try RequestBody(SecretBytes(utf8: text), with: JSONParser())
                let key = CardKey(program: "p", id: "c")
                switch maker.next(3) {
                case 0: _ = try ProvisionBody.read(body, card: key, receivedAt: .now)
                case 1: _ = try CardBody.read(body, key: key, at: Timestamp(milliseconds: 0))
                default: _ = try ButtonBody.read(body)
                }
            } catch {
                refused += 1
                #expect(error.code == .invalidRequest && !error.errors.isEmpty, "\(text)")
                for fault in error.errors {
                    #expect(fault.pointer.isEmpty || fault.pointer.hasPrefix("/"), "\(text)")
                    #expect(fault.pointer.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "\(text)")
                    #expect(!fault.detail.contains("SECRET") && !fault.pointer.contains("SECRET"), "\(text)")
                }
            }
        }
        #expect(refused > 1000)
    }

    @Test func textsThatAreCutAnywhereAreRefusedOrRead() {
        let text = #"{"wallet": "apple_pay", "apple_pay": {"certificates": ["é\u00e9"], "nonce": "\ud83d\ude00"}}"#
        for length in 0..<text.utf8.count {
            do throws(Problem) {
                _ = try RequestBody(SecretBytes(Array(text.utf8.prefix(length))), with: JSONParser())
                Issue.record("\(length) bytes were read as whole")
            } catch {
                #expect(error.code == .malformedJSON)
            }
        }
    }
}

/// Makes JSON texts from a seed.
private struct RequestMaker {
    private var state: UInt64
    private static let names = [
        "wallet", "channel", "origin", "accept", "plan", "cardholder", "apple_pay", "google_pay", "client", "thales",
        "certificates", "nonce", "nonce_signature", "encoding", "id", "name", "authentication", "authenticated_at",
        "device", "can_add", "watch_paired", "local_pass", "digitization_state", "tokens", "state",
        "binding", "last4", "network", "title", "art_url", "metadata", "connection", "x", "", "a/b", "~", "é",
        "\\u0000",
        "4111111111111111",
    ]
    private static let values = [
        "null", "true", "0", "-1", "1e999", "1.5", "18446744073709551615", "\"\"", "\"SECRET\"", "\"apple_pay\"",
        "\"in_app\"", "\"4242\"", "\"visa\"", "\"\\u0000SECRET\"", "\"2026-01-31T10:20:30Z\"", "[]", "{}", "[null]",
        "[\"apple_pay_pass\"]", "[{\"state\":\"SECRET\"}]", "[[[[]]]]", "\"https://a.example\"", "\"\\ud83d\\ude00\"",
    ]

    init(seed: UInt64) { state = seed }

    mutating func object(depth: Int) -> String {
        let members = (0..<next(6)).map { _ in "\"\(Self.names[next(Self.names.count)])\":\(value(depth: depth))" }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func value(depth: Int) -> String {
        depth < 3 && next(3) == 0 ? object(depth: depth + 1) : Self.values[next(Self.values.count)]
    }

    /// Xorshift: the same numbers in every run.
    mutating func next(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }
}
