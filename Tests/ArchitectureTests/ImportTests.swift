import Testing

@Suite("Modules know only what the map lets them know")
struct ImportTests {
    @Test func everyFileOfTheSourcesIsOnTheMap() {
        #expect(!SourceTree.shipped.isEmpty)
        for file in SourceTree.shipped {
            #expect(ModuleMap.allowedImports(of: file.path) != nil, "\(file) belongs to no module of the map")
        }
    }

    @Test func nothingIsImportedThatTheMapForbids() {
        for file in SourceTree.shipped {
            guard let allowed = ModuleMap.allowedImports(of: file.path) else { continue }
            for module in file.imports {
                #expect(allowed.contains(module), "\(file) imports \(module)")
            }
        }
    }

    @Test func theMapIsTheManifests() {
        let manifest = SourceTree.text("Package.swift")
        for name in ModuleMap.allowed.keys {
            #expect(manifest.contains("\"\(name)\""), "\(name) is on the map, and not in the manifest")
        }
        let folders = SourceTree.names(in: "Sources").filter { !$0.isCLibrary }
        #expect(Set(folders) == Set(ModuleMap.allowed.keys))
    }

    @Test func nothingOpensConnectionsButTheClientAndTheServer() {
        for file in SourceTree.shipped {
            // What a comment names is not used.
            let code = file.text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            for word in ["FoundationNetworking", "URLSession", "URLRequest"] {
                #expect(!code.contains { $0.contains(word) }, "\(file) uses \(word)")
            }
        }
    }

    /// The kits are for other people's processes: they bring nothing of the gateway with them, and no part of it uses them.
    @Test func theGatewayAndTheKitsDoNotKnowEachOther() {
        let kits = ModuleMap.allowed.keys.filter { $0.hasPrefix("Passgate") }
        #expect(kits.count == 3)
        for (module, allowed) in ModuleMap.allowed {
            let others = kits.contains(module) ? allowed.subtracting(kits) : allowed.intersection(kits)
            #expect(others == [], "\(module)")
        }
        for file in SourceTree.shipped where file.path.hasPrefix("Sources/PassgateWallet/") {
            for word in ["URLSession", "HTTPExecuting", "pgk_"] {
                #expect(!file.text.contains(word), "\(file) is for apps, which call no gateway")
            }
        }
    }

    @Test func aCLibrarysFolderHoldsItsMapAndShimsAlone() {
        for folder in SourceTree.names(in: "Sources") where folder.isCLibrary {
            for file in SourceTree.names(in: "Sources/\(folder)") {
                let isShim = ["c", "h", "cpp", "modulemap"].contains { file.hasSuffix(".\($0)") } || file == "include"
                #expect(isShim, "Sources/\(folder)/\(file) is no module map and no shim")
            }
        }
    }

    @Test func noTestReachesIntoAnEmulatorOfAnotherProvider() {
        for provider in SourceTree.names(in: "Providers") {
            let own: Set = ["\(provider)Provider", "\(provider)Emulator"]
            for file in SourceTree.files("Providers/\(provider)") {
                for module in file.imports where module.hasSuffix("Provider") || module.hasSuffix("Emulator") {
                    #expect(own.contains(module), "\(file) imports \(module)")
                }
            }
        }
    }
}

extension String {
    fileprivate var isCLibrary: Bool {
        hasPrefix("C") && dropFirst().first?.isUppercase == true
    }
}
