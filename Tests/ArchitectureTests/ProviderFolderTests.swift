import Testing

@Suite("A provider is one folder and a line in each list")
struct ProviderFolderTests {
    @Test func everyFolderHasTheSameFiles() {
        let providers = SourceTree.names(in: "Providers")
        #expect(!providers.isEmpty)
        for provider in providers {
            let names = SourceTree.names(in: "Providers/\(provider)")
            let expected = [
                "\(provider)Provider.swift", "\(provider)Configuration.swift", "\(provider)Messages.swift",
                "\(provider)Failure.swift", "README.md", "Emulator", "Tests", "Fixtures",
            ]
            for name in expected { #expect(names.contains(name), "Providers/\(provider) has no \(name)") }
            #expect(!SourceTree.text("Providers/\(provider)/README.md").isEmpty)
        }
    }

    @Test func theManifestListsEveryFolder() throws {
        let manifest = SourceTree.text("Package.swift")
        let list = try #require(manifest.firstMatch(of: /let providers = \[([^\]]*)\]/))
        let names = list.1.matches(of: /"(\w+)"/).map { String($0.1) }
        #expect(names.sorted() == SourceTree.names(in: "Providers"))
    }

    @Test func theCatalogueListsEveryFolder() {
        let catalogue = SourceTree.text("Sources/Catalogue/ProviderCatalogue.swift")
        let names = catalogue.matches(of: /(\w+)Provider\.self/).map { String($0.1) }
        #expect(names.sorted() == SourceTree.names(in: "Providers"))
    }

    @Test func theLaboratorysCatalogueListsEveryFolder() {
        let catalogue = SourceTree.text("Sources/passgate-lab/EmulatorCatalogue.swift")
        for provider in SourceTree.names(in: "Providers") {
            #expect(catalogue.contains("import \(provider)Emulator"), "\(provider) has no line")
            #expect(catalogue.contains("\(provider)Emulator("), "\(provider) has no line")
        }
    }

    @Test func nothingElseNamesAProvider() {
        let catalogues = ["Sources/Catalogue/ProviderCatalogue.swift", "Sources/passgate-lab/EmulatorCatalogue.swift"]
        for provider in SourceTree.names(in: "Providers") {
            for file in SourceTree.shipped
            where !file.path.hasPrefix("Providers/\(provider)/") && !catalogues.contains(file.path) {
                let names = file.imports.filter { $0 == "\(provider)Provider" || $0 == "\(provider)Emulator" }
                #expect(names.isEmpty, "\(file) imports \(names)")
            }
        }
    }
}
