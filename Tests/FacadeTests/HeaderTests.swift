import Gateway
import HTTPServer
import Testing

@testable import Facade

@Suite struct HeaderTests {
    private func reader(_ name: String, _ values: String...) -> HeaderReader {
        HeaderReader(
            request: HTTPRequest(method: "POST", path: "/", headers: values.map { (name: name, value: $0) }))
    }

    @Test(
        "I06: the key comes bare or in quotes",
        arguments: [
            ("abc", "abc"), ("\"abc\"", "abc"), ("\"a\\\"b\\\\c\"", "a\"b\\c"), ("a\"b", "a\"b"), ("!~", "!~"),
        ])
    func readsIdempotencyKeys(value: String, key: String) throws {
        #expect(try reader("idempotency-key", value).idempotencyKey() == key)
    }

    @Test(
        "I06: what is no key is refused",
        arguments: [
            "", "\"\"", "\"abc", "\"", "\"a\"b\"", "\"a\\\"", "\"a\\b\"", "a b", "\"a b\"", "clé", "a\tb",
            String(repeating: "k", count: 256),
        ])
    func refusesOtherKeys(value: String) {
        #expect(throws: Problem.self) { try reader("idempotency-key", value).idempotencyKey() }
    }

    @Test func aKeyMayHave255Characters() throws {
        let key = String(repeating: "k", count: 255)
        #expect(try reader("idempotency-key", key).idempotencyKey() == key)
        #expect(try reader("idempotency-key", "\"\(key)\"").idempotencyKey() == key)
        #expect(throws: Problem.self) { try reader("idempotency-key", "a", "a").idempotencyKey() }
        #expect(try reader("x").idempotencyKey() == nil)
    }

    @Test(arguments: ["0", "-1", "+5", "1.5", "", " 5", "1e3", "five", "９", "000", "0x10", "5,5"])
    func refusesDeadlinesThatAreNoPositiveNumber(value: String) {
        #expect(throws: Problem.self) { try reader("passgate-deadline", value).deadlineMilliseconds() }
    }

    @Test func readsDeadlines() throws {
        #expect(try reader("passgate-deadline", "2500").deadlineMilliseconds() == 2500)
        #expect(try reader("passgate-deadline", "99999999999999999999").deadlineMilliseconds() == 86_400_000)
        #expect(try reader("x").deadlineMilliseconds() == nil)
    }

    @Test(arguments: [
        ("limit=0", "/limit out_of_range"), ("limit=101", "/limit out_of_range"), ("limit=ten", "/limit out_of_range"),
        ("limit=%31", nil), ("limit=100", nil), ("limit=", "/limit empty"),
        ("limit=1&limit=1", "/limit duplicate_parameter"),
        ("Limit=1", "/Limit unknown_parameter"), ("limits=1", "/limits unknown_parameter"),
        ("cursor=%zz", "/cursor bad_encoding"), ("cursor=%ff", "/cursor bad_encoding"),
        ("cursor=a%00b", "/cursor control_character"), ("4111111111111111=1", " unknown_parameter"),
        ("limit=1&&cursor=a", " unknown_parameter"), ("=1", " unknown_parameter"), ("", nil),
        ("%6cimit=5", nil), ("cursor", "/cursor empty"),
        ("cursor=\(String(repeating: "%C3%A9", count: 512))", nil),
        ("cursor=\(String(repeating: "%C3%A9", count: 513))", "/cursor too_long"),
    ])
    func readsQueriesStrictly(query: String, fault: String?) {
        let reader = QueryReader(query, known: ["limit", "cursor"])
        _ = reader.page()
        do throws(Problem) {
            try reader.finish()
            #expect(fault == nil)
        } catch {
            #expect(error.errors.map { "\($0.pointer) \($0.code)" } == [fault])
        }
    }
}
