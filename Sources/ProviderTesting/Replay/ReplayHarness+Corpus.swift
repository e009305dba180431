import ProviderConformance
import ProviderKit
import Provisioning

extension ReplayHarness {
    /// What is wrong with fixtures that the suite does not play: such a body says what it `means`, as one of our codes, and
    /// the adapter agrees. Nothing in the corpus maps to nothing.
    ///
    /// - Throws: ``FixtureFault`` where a fixture cannot be read.
    public func strayFixtures() async throws -> [String] {
        let operations = Operation.all(of: Provider.descriptor).filter { exchanges(for: $0) > 0 }
        var found: [String] = []
        for name in fixtureNames {
            let parts = name.dropLast(".json".count).split(separator: "/").map(String.init)
            let group = parts[0]
            let served = operations.filter { group == "errors" || $0.group == group }
            guard parts.count == 2, !served.isEmpty else { continue }
            if let situation = Situation(rawValue: parts[1]) {
                let isPlayed = situation.isProcessorsOwn && served.contains { absence(of: situation, for: $0) == nil }
                if !isPlayed { found.append("\(name) is played by nobody") }
            } else {
                found += try await findings(in: name, parts[1], served[0])
            }
        }
        return found
    }

    /// What is wrong with one of them.
    private func findings(in name: String, _ file: String, _ operation: Operation) async throws -> [String] {
        let (stage, fixture) = try stage(playing: file, for: operation)
        guard let means = fixture.means else { return ["\(name) is no situation, and does not say what it means"] }
        guard ProblemCode(rawValue: means) != nil else { return ["\(name) means \(means), which is none of our codes"] }
        do throws(ProvisioningError) {
            switch operation {
            case .provision: _ = try await stage.provider.provision(stage.request)
            case .eligibility(let wallet):
                _ = try await stage.provider.eligibility(
                    of: stage.request.card, wallet: wallet, deadline: stage.request.deadline)
            }
            return ["\(name) means \(means), and was taken for a success"]
        } catch {
            return error.code.rawValue == means ? [] : ["\(name) means \(means), and became \(error.code.rawValue)"]
        }
    }
}
