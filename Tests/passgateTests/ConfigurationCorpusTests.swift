import ConfigurationFile
import FuzzTargets
import ProviderKit
import SecretMemory
import Testing

/// The inputs that fuzzing starts from, before the whole reader: `fuzz` has the parts that libraries hold.
@Suite struct ConfigurationCorpusTests {
    private static let secret = "S3cretFromTheEnvironment"

    @Test func whateverAFileHoldsNoProblemShowsASecret() throws {
        let corpus = try Corpus(of: "configuration").files.map(\.bytes)
        var mutation = Mutation(seed: 20_261_202)
        let spoilt = (0..<300).map { mutation.spoil(corpus[$0 % corpus.count], among: corpus) }
        var found = 0
        for input in corpus + spoilt {
            let text = String(decoding: input, as: UTF8.self)
            let (configuration, problems) = Example.read(
                text, folder: "/nowhere", environment: ["PASSGATE_SECRET": Self.secret])
            #expect(configuration != nil || !problems.isEmpty, "\(text)")
            found += problems.count
            for problem in problems.map(\.problem) {
                #expect(!problem.message.isEmpty, "\(text)")
                #expect(!"\(problem)".contains(Self.secret), "\(problem)")
            }
        }
        #expect(found > 1000)
    }
}
