import FoundationEssentials
import ProviderConformance
import SecretMemory

/// A provider's `Fixtures` folder: `<group>/<situation>.json`, and `errors/<situation>.json` for all groups.
public struct FixtureFolder: Sendable {
    private let path: String

    /// The folder `Fixtures` beside the folder of the test file.
    public init(beside testFile: String = #filePath) {
        path = URL(filePath: testFile).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures").path()
    }

    /// Reads a fixture of a group, or else of the folder `errors`, which serves every group.
    ///
    /// One without a request of its own takes that of the group's `card_exists`.
    ///
    /// - Throws: ``FixtureFault`` where it is missing or cannot be used.
    public func fixture(_ group: String, _ situation: String) throws(FixtureFault) -> Fixture {
        let success = Situation.cardExists.rawValue
        let fallback = situation == success ? nil : try fixture(group, success).exchanges.last?.request
        for name in ["\(group)/\(situation).json", "errors/\(situation).json"] {
            guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
            return try Fixture(name: name, SecretBytes(bytes), request: fallback)
        }
        throw FixtureFault("\(group)/\(situation).json: there is no such fixture, nor one in errors")
    }

    /// The paths of all fixtures, such as `eligibility/card_exists.json`.
    public var names: [String] {
        let groups = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let names = groups.flatMap { group in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(group)")) ?? []).map { "\(group)/\($0)" }
        }
        return names.filter { $0.hasSuffix(".json") }.sorted()
    }

    /// What no fixture may hold: a card number whose check digit is right, a live key, a private key.
    public func findings() -> [String] {
        names.flatMap { name in
            let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data()
            return RealSecrets.findings(in: String(decoding: bytes, as: UTF8.self)).map { "\(name): \($0)" }
        }
    }
}
