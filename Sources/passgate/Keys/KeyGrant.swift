import Facade
import ProviderKit

/// What a new key shall be called and may do, read from a command line.
struct KeyGrant: Sendable, Equatable {
    let name: String
    /// In the vocabulary's order.
    let scopes: [Scope]
    /// In the alphabet's order; nil for all.
    let programs: [String]?

    /// Why a grant cannot be made.
    struct Refusal: Error, Equatable {
        let message: String
    }

    /// Reads lists with commas between their words.
    ///
    /// - Throws: ``Refusal`` for a name that cannot be one, and a scope or program that there is not.
    init(name: String, scopes: String, programs: String?, of configuration: Configuration) throws(Refusal) {
        guard ConfigurationReader.isName(name) else {
            throw Refusal(message: "--name: a name has 1 to 64 letters, digits, - and _")
        }
        guard !name.hasPrefix("key_") else {
            throw Refusal(message: "--name: what begins with key_ is taken for a key's id")
        }
        self.name = name
        let known = Scope.allCases.map(\.rawValue)
        let words = try Self.words(scopes, "--scopes", "a scope", among: known)
        self.scopes = Scope.allCases.filter { words.contains($0.rawValue) }
        self.programs = try programs.map { text throws(Refusal) in
            try Self.words(text, "--programs", "a program", among: configuration.programs.keys.sorted()).sorted()
        }
    }

    private static func words(_ text: String, _ option: String, _ what: String, among known: [String])
        throws(Refusal) -> Set<String>
    {
        let words = text.split(separator: ",").map { $0.trimming { $0 == " " } }
        for word in words where !known.contains(word) {
            let advice =
                NearestName.of(word, among: known).map { "did you mean \($0)?" }
                ?? "there are \(known.joined(separator: ", "))"
            throw Refusal(message: "\(option): \(word) is not \(what); \(advice)")
        }
        if words.isEmpty { throw Refusal(message: "\(option): name at least one of \(known.joined(separator: ", "))") }
        return Set(words)
    }
}

extension Substring {
    /// The text without such characters at its ends.
    fileprivate func trimming(_ isDropped: (Character) -> Bool) -> String {
        String(drop(while: isDropped).reversed().drop(while: isDropped).reversed())
    }
}
