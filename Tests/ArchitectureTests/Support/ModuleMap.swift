/// Which module may import which: the picture in ARCHITECTURE.md, for machines. What stands lower knows nothing of
/// what stands above it.
enum ModuleMap {
    /// The modules of `Sources`, with what each may import of ours.
    static let allowed: [String: Set<String>] = [
        "SecretMemory": [],
        "Provisioning": ["SecretMemory"],
        "ProviderKit": ["Provisioning", "SecretMemory"],
        "EventLoop": ["CLinux"],
        "HTTPServer": ["EventLoop", "SecretMemory", "CMicrohttpd", "CLinux"],
        "HTTPClient": ["EventLoop", "SecretMemory", "Provisioning", "ProviderKit", "CCurl", "CLinux"],
        "JSON": ["ProviderKit", "SecretMemory", "CSimdjson"],
        "Crypto": ["ProviderKit", "Provisioning", "SecretMemory", "COpenSSL"],
        "SQLite": ["CSQLite", "CLinux"],
        "PostgreSQL": ["EventLoop", "SecretMemory", "CPostgreSQL"],
        "YAML": ["SecretMemory", "CYAML"],
        "Assets": ["CAssets"],
        "ConfigurationFile": ["ProviderKit", "Provisioning", "SecretMemory", "YAML", "HTTPClient", "Crypto"],
        "Catalogue": ["ProviderKit"],
        "Storage": ["Provisioning", "SecretMemory", "SQLite", "PostgreSQL", "Crypto"],
        "Gateway": ["Provisioning", "ProviderKit", "SecretMemory", "Storage", "Crypto", "EventLoop", "JSON"],
        "Facade": [
            "Provisioning", "ProviderKit", "SecretMemory", "Storage", "Gateway", "HTTPServer", "JSON", "Crypto",
            "EventLoop", "Assets",
        ],
        "ProviderTesting": ["Provisioning", "ProviderKit", "SecretMemory", "JSON", "Crypto", "ProviderConformance"],
        "Sandbox": [
            "Provisioning", "ProviderKit", "SecretMemory", "HTTPServer", "HTTPClient", "EventLoop", "JSON", "Crypto",
            "YAML", "ProviderConformance",
        ],
        // The kits know the facade's REST and nothing of what makes it. `Crypto` is never among it: the name is also
        // swift-crypto's, which a platform may link.
        "PassgateContract": [],
        "PassgateClient": ["PassgateContract"],
        "PassgateWallet": ["PassgateContract"],
        "passgate": [
            "Provisioning", "ProviderKit", "SecretMemory", "EventLoop", "HTTPServer", "HTTPClient", "JSON", "Crypto",
            "ConfigurationFile", "Storage", "Gateway", "Facade", "Catalogue",
        ],
        "passgate-lab": [
            "Provisioning", "ProviderKit", "SecretMemory", "EventLoop", "HTTPServer", "HTTPClient", "JSON", "Crypto",
            "Sandbox", "ProviderConformance", "ConfigurationFile", "Catalogue",
        ],
    ]

    /// What an adapter may import of ours.
    static let adapter: Set<String> = ["Provisioning", "ProviderKit", "SecretMemory"]

    /// What an emulator may import of ours.
    static let emulator = adapter.union(["Sandbox", "ProviderConformance"])

    /// What the conformance suite may import of ours.
    static let conformance: Set<String> = ["Provisioning", "ProviderKit", "SecretMemory"]

    /// The modules that wrap a C library or the kernel, and may hold a pointer.
    static let wrappers: Set<String> = [
        "SecretMemory", "EventLoop", "HTTPServer", "HTTPClient", "JSON", "Crypto", "SQLite", "PostgreSQL", "YAML",
        "Assets",
    ]

    /// What comes with the toolchain and may be imported anywhere.
    static let system: Set<String> = ["Synchronization", "FoundationEssentials", "Foundation", "Dispatch"]

    /// What comes with Apple's systems, by the only module that may import it: always behind `canImport`.
    static let apple: [String: Set<String>] = ["PassgateClient": ["CryptoKit"], "PassgateWallet": ["PassKit"]]

    /// The C library of the system, for the wrappers alone.
    static let systemC: Set<String> = ["Glibc"]

    /// What the file may import; nil where it belongs to no module of the map.
    static func allowedImports(of path: String) -> Set<String>? {
        let folders = path.split(separator: "/").map(String.init)
        guard folders.count > 2 else { return nil }
        let c = wrappers.contains(folders[1]) ? systemC : []
        switch folders[0] {
        case "Sources":
            let providers = SourceTree.names(in: "Providers")
            guard let own = allowed[folders[1]] else { return nil }
            if folders[1] == "Catalogue" { return own.union(providers.map { "\($0)Provider" }).union(system) }
            if folders[1] == "passgate-lab" {
                return own.union(providers.map { "\($0)Emulator" }).union(system)
            }
            return own.union(system).union(c).union(apple[folders[1]] ?? [])
        case "Providers": return (folders[2] == "Emulator" ? emulator : adapter).union(system)
        case "Contracts": return conformance.union(system)
        default: return nil
        }
    }
}
