import SecretMemory
import Testing
import YAML

@Suite("A YAML text becomes a tree")
struct YAMLDocumentTests {
    @Test func keepsTheOrderAndThePlaceOfEverything() throws {
        let document = read("server:\n  listen: \"127.0.0.1:8080\"\nprograms: [a, b]\n")
        #expect(document.problems.isEmpty)
        let members = try #require(document.root).members
        #expect(members.map(\.key) == ["server", "programs"])
        #expect(members[1].position == YAMLPosition(line: 3, column: 1))
        #expect(members[0].value.members.first?.value.position == YAMLPosition(line: 2, column: 11))
        guard case .sequence(let items) = members[1].value.content else {
            Issue.record("programs is no list")
            return
        }
        #expect(items.map(\.text) == ["a", "b"])
    }

    @Test(arguments: ["yes", "0123", "1e3", "0x1F", "~", "null", "2024-01-01", "true"])
    func keepsAnUnquotedTextAsWritten(text: String) throws {
        let value = try #require(read("a: \(text)").root?.members.first?.value)
        guard case .scalar(let scalar, let style) = value.content else {
            Issue.record("it is no text")
            return
        }
        #expect(scalar.reveal() == text)
        #expect(style == .plain)
    }

    @Test(arguments: ["'a': 'x: y'", "\"a\": \"x: y\"", "a: |-\n  x: y"])
    func tellsQuotedTextsFromPlainOnes(yaml: String) throws {
        let value = try #require(read(yaml).root?.members.first?.value)
        guard case .scalar(let scalar, let style) = value.content else {
            Issue.record("it is no text")
            return
        }
        #expect(scalar.reveal() == "x: y")
        #expect(style == .quoted)
    }

    @Test(arguments: ["", "# nothing\n", "---\n"])
    func findsNoTreeInAnEmptyText(yaml: String) {
        let document = read(yaml)
        #expect(document.problems.isEmpty)
        #expect(document.root?.members.isEmpty != false)
    }

    @Test func showsNoValue() {
        let document = read("a: hunter2")
        #expect(!"\(document)".contains("hunter2"))
    }
}

@Suite("A YAML text is refused with its place")
struct YAMLProblemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let yaml: String
        let line: Int
        let keyPath: String
        let says: String
        var testDescription: String { says }
    }

    @Test(arguments: [
        Case(yaml: "a: 1\nb:\n  c: 1\n  c: 2\n", line: 4, keyPath: "b.c", says: "is given twice"),
        Case(yaml: "a: &x 1\n", line: 1, keyPath: "a", says: "anchors"),
        Case(yaml: "a: *x\n", line: 1, keyPath: "a", says: "aliases"),
        Case(yaml: "a:\n  - 1\n  - !!int 2\n", line: 3, keyPath: "a[1]", says: "tags"),
        Case(yaml: "a:\n  <<: { b: 1 }\n", line: 2, keyPath: "a", says: "merge keys"),
        Case(yaml: "a: 1\n---\nb: 1\n", line: 2, keyPath: "", says: "only one document"),
        Case(yaml: "? [a]\n: b\n", line: 1, keyPath: "", says: "a key must be a text"),
        Case(yaml: "a:\n\tb: 1\n", line: 2, keyPath: "a", says: "tab"),
        Case(yaml: "a: [1, 2\n", line: 2, keyPath: "a[2]", says: "did not find"),
        Case(yaml: "a: \"\u{1}\"\n", line: 1, keyPath: "", says: "control"),
    ])
    func namesWhatIsWrong(_ example: Case) throws {
        let problem = try #require(read(example.yaml).problems.first)
        #expect(problem.message.contains(example.says), "\(problem)")
        #expect(problem.position.line == example.line)
        #expect(problem.keyPath == example.keyPath)
    }

    @Test func namesTheLineThatIsNotUTF8() throws {
        let bytes = SecretBytes(Array("a: 1\nb: ".utf8) + [0xff, 0xfe, 0x0a])
        let document = YAMLDocument(bytes)
        let problem = try #require(document.problems.first)
        #expect(problem.message.contains("UTF-8"))
        #expect(problem.position.line == 2)
        #expect(document.root == nil)
    }

    @Test func reportsEveryProblemAtOnce() {
        let document = read("a: 1\na: 2\nb: *x\nb: !t 3\nc: ok\n")
        #expect(document.problems.map(\.position.line) == [2, 3, 4, 4])
        #expect(document.root?.members.map(\.key) == ["a", "b", "c"])
    }

    @Test func refusesWhatIsNestedTooDeep() {
        let document = read(String(repeating: "[", count: 5000))
        #expect(document.problems.count == 1)
        #expect(document.problems.first?.message.contains("deeper than 32") == true)
        #expect(document.root == nil)
    }

    @Test func refusesALaughThatGrows() {
        var yaml = "a0: &a0 [x, x]\n"
        for level in 1...20 { yaml += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        let document = read(yaml)
        #expect(document.problems.count == 21 + 40)
    }

    @Test func refusesWhatIsTooLarge() {
        var limits = YAMLDocument.Limits()
        limits.bytes = 10
        #expect(YAMLDocument(SecretBytes(utf8: "a: 12345678"), limits: limits).problems.count == 1)
        #expect(YAMLDocument(SecretBytes(utf8: "a: 1234567"), limits: limits).problems.isEmpty)
    }

    @Test func dropsTheSecondOfTwoEqualKeys() {
        #expect(read("a: 1\na: 2\n").root?.members.first?.value.text == "1")
    }
}

private func read(_ text: String) -> YAMLDocument { YAMLDocument(SecretBytes(utf8: text)) }

extension YAMLNode {
    fileprivate var members: [YAMLMember] { if case .mapping(let members) = content { members } else { [] } }
    fileprivate var text: String? { if case .scalar(let text, _) = content { text.reveal() } else { nil } }
}
