// swift-tools-version: 6.2

import PackageDescription

/// What the C wrappers and the event loop are compiled with: all but the check of unsafe pointers.
let wrapper: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// What every other Swift target is compiled with: the strictest checks that the compiler offers.
let strict = wrapper + [.strictMemorySafety()]

/// The modules that may hold a pointer: each wraps one C library, or the kernel's interface.
let wrappers: Set<String> = [
    "SecretMemory", "EventLoop", "HTTPServer", "HTTPClient", "JSON", "Crypto", "SQLite", "PostgreSQL", "YAML",
    "Assets",
]

/// A module of ours, with tests beside it in `Tests/<name>Tests`.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], tests: [Target.Dependency] = []) -> [Target] {
    [
        .target(
            name: name, dependencies: dependencies, swiftSettings: wrappers.contains(name) ? wrapper : strict),
        .testTarget(
            name: "\(name)Tests", dependencies: [.target(name: name)] + dependencies + tests,
            swiftSettings: wrappers.contains(name) ? wrapper : strict),
    ]
}

/// The module map and shims of one C library.
func library(_ name: String, pkgConfig: String? = nil) -> [Target] {
    [.systemLibrary(name: name, pkgConfig: pkgConfig)]
}

/// One processor: adapter, emulator and tests, all in `Providers/<name>`.
func provider(_ name: String) -> [Target] {
    [
        .target(
            name: "\(name)Provider", dependencies: ["Provisioning", "ProviderKit"], path: "Providers/\(name)",
            exclude: ["Emulator", "Tests", "Fixtures", "README.md"], swiftSettings: strict),
        .target(
            name: "\(name)Emulator", dependencies: ["Provisioning", "ProviderKit", "Sandbox", "ProviderConformance"],
            path: "Providers/\(name)/Emulator", swiftSettings: strict),
        .testTarget(
            name: "\(name)ProviderTests",
            dependencies: [
                .target(name: "\(name)Provider"), .target(name: "\(name)Emulator"), "ProviderConformance",
                "ProviderTesting", "Provisioning", "ProviderKit", "SecretMemory", "JSON", "Crypto", "Sandbox",
            ],
            path: "Providers/\(name)/Tests", swiftSettings: strict),
    ]
}

let providers = [
    "Increase",
    "Checkout",
    "Imprint",
    "Thales",
    "Stripe",
]

let package = Package(
    name: "passgate",
    // For the kits; the gateway itself is for Linux.
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .executable(name: "passgate", targets: ["passgate"]),
        .executable(name: "passgate-lab", targets: ["passgate-lab"]),
        .library(name: "Provisioning", targets: ["Provisioning"]),
        .library(name: "ProviderKit", targets: ["ProviderKit"]),
        // For a platform's backend, and for its app.
        .library(name: "PassgateClient", targets: ["PassgateClient", "PassgateContract"]),
        .library(name: "PassgateWallet", targets: ["PassgateWallet", "PassgateContract"]),
        // Preloaded by tests, never linked.
        .library(name: "SyncJournal", type: .dynamic, targets: ["SyncJournal"]),
        .library(name: "DiskFaults", type: .dynamic, targets: ["DiskFaults"]),
        .library(name: "ShiftedClock", type: .dynamic, targets: ["ShiftedClock"]),
        // For `fuzz/Package.swift`, which puts each target before libFuzzer.
        .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    ],
    targets: [
        // The contract, free of C libraries.
        module("SecretMemory"),
        module("Provisioning", ["SecretMemory"]),
        module("ProviderKit", ["Provisioning", "SecretMemory"], tests: ["JSON", "ProviderTesting"]),

        // One thin Swift module per C library.
        library("CLinux"),
        library("CMicrohttpd", pkgConfig: "libmicrohttpd"),
        library("CCurl", pkgConfig: "libcurl"),
        library("COpenSSL", pkgConfig: "openssl"),
        library("CSQLite", pkgConfig: "sqlite3"),
        library("CPostgreSQL", pkgConfig: "libpq"),
        library("CYAML", pkgConfig: "yaml-0.1"),
        [.target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")])],
        module("EventLoop", ["CLinux"]),
        module("HTTPServer", ["EventLoop", "SecretMemory", "CMicrohttpd", "CLinux"]),
        module(
            "HTTPClient", ["EventLoop", "SecretMemory", "Provisioning", "ProviderKit", "CCurl", "CLinux"],
            tests: ["RawSockets"]),
        module("JSON", ["ProviderKit", "SecretMemory", "CSimdjson"]),
        module("Crypto", ["ProviderKit", "Provisioning", "SecretMemory", "COpenSSL"], tests: ["ProviderTesting"]),
        module("SQLite", ["CSQLite", "CLinux"]),
        module("PostgreSQL", ["EventLoop", "SecretMemory", "CPostgreSQL"], tests: ["PostgreSQLServer"]),
        module("YAML", ["SecretMemory", "CYAML"]),
        // The files that lie in the program.
        [
            .target(name: "CAssets"),
            .target(name: "Assets", dependencies: ["CAssets"], exclude: ["Files"], swiftSettings: wrapper),
            .testTarget(name: "AssetsTests", dependencies: ["Assets"], swiftSettings: strict),
        ],
        module(
            "ConfigurationFile",
            ["ProviderKit", "Provisioning", "SecretMemory", "YAML", "HTTPClient", "Crypto"]),

        // The gateway.
        module(
            "Storage", ["Provisioning", "SecretMemory", "SQLite", "PostgreSQL", "Crypto"],
            tests: ["ProviderTesting", "PostgreSQLServer"]),
        module(
            "Gateway", ["Provisioning", "ProviderKit", "SecretMemory", "Storage", "Crypto", "EventLoop", "JSON"],
            tests: ["ProviderTesting"]),
        module(
            "Facade",
            [
                "Provisioning", "ProviderKit", "SecretMemory", "Storage", "Gateway", "HTTPServer", "JSON", "Crypto",
                "EventLoop", "Assets",
            ],
            tests: ["ProviderTesting"]),

        // What binds every provider, and what stands in for the outside world.
        [
            .target(
                name: "ProviderConformance", dependencies: ["Provisioning", "ProviderKit", "SecretMemory"],
                path: "Contracts/Conformance", swiftSettings: strict),
            .target(
                name: "ProviderTesting",
                dependencies: [
                    "Provisioning", "ProviderKit", "SecretMemory", "JSON", "Crypto", "ProviderConformance",
                ],
                swiftSettings: strict),
            .testTarget(
                name: "ConformanceTests",
                dependencies: [
                    "ProviderConformance", "ProviderTesting", "Provisioning", "ProviderKit", "SecretMemory",
                ],
                swiftSettings: strict),
        ],
        module(
            "Sandbox",
            [
                "Provisioning", "ProviderKit", "SecretMemory", "HTTPServer", "HTTPClient", "EventLoop", "JSON",
                "Crypto",
                "YAML", "ProviderConformance",
            ]),
        providers.flatMap(provider),

        // The kits: they know the gateway's REST facade, and none of its modules.
        module("PassgateContract"),
        module("PassgateClient", ["PassgateContract"], tests: ["PassgateWallet", "Crypto", "SecretMemory"]),
        module("PassgateWallet", ["PassgateContract"]),

        // The commands.
        [
            .target(
                name: "Catalogue", dependencies: ["ProviderKit"] + providers.map { .target(name: "\($0)Provider") },
                swiftSettings: strict),
            .executableTarget(
                name: "passgate",
                dependencies: [
                    "Provisioning", "ProviderKit", "SecretMemory", "EventLoop", "HTTPServer", "HTTPClient", "JSON",
                    "Crypto", "ConfigurationFile", "Storage", "Gateway", "Facade", "Catalogue",
                ], swiftSettings: strict),
            .testTarget(
                name: "passgateTests",
                dependencies: [
                    "passgate", "Provisioning", "ProviderKit", "SecretMemory", "Storage", "ConfigurationFile",
                    "Gateway", "Facade", "ProviderTesting", "Catalogue", "PostgreSQLServer", "FuzzTargets",
                ],
                swiftSettings: strict),
            .executableTarget(
                name: "passgate-lab",
                dependencies: [
                    "Provisioning", "ProviderKit", "SecretMemory", "EventLoop", "HTTPServer", "HTTPClient", "JSON",
                    "Crypto", "Sandbox", "ProviderConformance", "ConfigurationFile", "Catalogue",
                ] + providers.map { .target(name: "\($0)Emulator") },
                swiftSettings: strict),
            .testTarget(
                name: "EndToEndTests",
                dependencies: [
                    "passgate", "passgate-lab",
                    "Provisioning", "ProviderKit", "SecretMemory", "EventLoop", "HTTPServer", "HTTPClient", "JSON",
                    "Crypto", "Sandbox", "SQLite", "ConfigurationFile", "Storage", "Gateway", "Facade", "Catalogue",
                    "ProviderConformance", "RawSockets", "PostgreSQLServer", "PassgateClient", "PassgateContract",
                    "PassgateWallet",
                ] + providers.map { .target(name: "\($0)Emulator") }, swiftSettings: strict),
            .target(name: "SyncJournal", path: "Tests/SyncJournal"),
            .target(name: "DiskFaults", path: "Tests/DiskFaults"),
            .target(name: "ShiftedClock", path: "Tests/ShiftedClock"),
            .target(name: "RawSockets", path: "Tests/RawSockets", swiftSettings: wrapper),
            .target(
                name: "PostgreSQLServer", dependencies: ["PostgreSQL", "SecretMemory"],
                path: "Tests/PostgreSQLServer", swiftSettings: wrapper),
            .target(
                name: "FuzzTargets",
                dependencies: [
                    "Provisioning", "ProviderKit", "SecretMemory", "JSON", "YAML", "Crypto", "EventLoop", "HTTPServer",
                    "ConfigurationFile", "Storage", "Gateway", "Facade", "Catalogue", "Sandbox", "ProviderConformance",
                    "ProviderTesting",
                ], path: "Tests/FuzzTargets", swiftSettings: strict),
            .testTarget(
                name: "FuzzReplayTests", dependencies: ["FuzzTargets"], swiftSettings: strict),
            .testTarget(name: "ArchitectureTests", swiftSettings: strict),
        ],
    ].flatMap(\.self),
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
