import Testing

/// What SECURITY.md says that tests prove, they can.
struct SecurityPageTests {
    @Test func everyTestThatItNamesIsThere() throws {
        let page = SourceTree.File(path: "SECURITY.md", text: SourceTree.text("SECURITY.md"))
        let names = try page.matches(of: #"`[a-z]\w+`"#).map { $0.trimmingPrefix("`").dropLast() }
        let named = names.filter { $0.hasPrefix("test_") || $0.contains { $0.isUppercase } }.map(String.init)
        let functions = try (SourceTree.swift + SourceTree.files(".ci/proxy", ending: "")).flatMap {
            try $0.matches(of: #"\b(func|def) \w+\("#)
        }
        let tests = Set(functions.map { String($0.dropLast().split(separator: " ")[1]) })
        #expect(named.count > 50)
        #expect(Set(named).subtracting(tests).sorted() == [])
    }
}
