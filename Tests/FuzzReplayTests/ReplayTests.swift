import FuzzTargets
import Testing

/// What `make fuzz` found or started from, without a fuzzer.
@Suite struct ReplayTests {
    /// How many spoilt inputs are made for each target.
    private static let mutationCount = 250

    @Test(arguments: FuzzTarget.all) func whateverComesIsReadOrRefused(_ target: FuzzTarget) async throws {
        let check = try await target.prepare()
        let corpus = try Corpus(of: target.name)
        #expect(corpus.files.count >= 5, "\(target.name) has hardly any inputs")
        for (name, bytes) in corpus.files {
            do throws(BrokenPromise) { try await check(bytes) } catch {
                Issue.record("fuzz/corpora/\(target.name)/\(name): \(error)")
            }
        }
        let inputs = corpus.files.map(\.bytes)
        var mutation = Mutation(seed: 20_261_201)
        for count in 0..<Self.mutationCount {
            let input = mutation.spoil(inputs[count % inputs.count], among: inputs)
            do throws(BrokenPromise) { try await check(input) } catch {
                Issue.record("\(target.name), mutation \(count): \(error)\n\(String(decoding: input, as: UTF8.self))")
            }
        }
    }
}
