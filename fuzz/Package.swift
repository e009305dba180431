// swift-tools-version: 6.2

import PackageDescription

/// libFuzzer before the targets of `Tests/FuzzTargets`: an executable each. `make fuzz` builds and runs them.
let targets = [
    "requests", "handshakes", "certificates", "tokens", "webhooks", "configuration", "imports", "replies",
]

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "passgate-fuzz",
    platforms: [.macOS(.v13)],
    products: targets.map { .executable(name: "fuzz-\($0)", targets: ["fuzz-\($0)"]) },
    dependencies: [.package(name: "passgate", path: "..")],
    targets: [
        .target(
            name: "FuzzEntry", dependencies: [.product(name: "FuzzTargets", package: "passgate")],
            swiftSettings: settings)
    ]
        + targets.map { name in
            // libFuzzer brings `main`.
            .executableTarget(
                name: "fuzz-\(name)",
                dependencies: ["FuzzEntry", .product(name: "FuzzTargets", package: "passgate")],
                swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
        },
    swiftLanguageModes: [.v6]
)
