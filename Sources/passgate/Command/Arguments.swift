/// The options that a command was given.
struct Arguments: Sendable, Equatable {
    private var values: [String: String] = [:]
    /// What stands beside the options, in order, such as the name of a file.
    private(set) var operands: [String] = []

    /// Why a command line cannot be understood.
    struct Misuse: Error, Equatable {
        let message: String
    }

    /// Reads what stands after a command's name: `--name value`, `--name=value`, `--name` alone, and at most so many
    /// operands; `-` is an operand.
    ///
    /// - Throws: ``Misuse`` for an unknown option, one without its value, one given twice, or anything else.
    init(_ words: [String], options: [Command.Option], operands limit: Int = 0) throws(Misuse) {
        var rest = words[...]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0] == "-h" ? "--help" : parts[0]
            if operands.count < limit, word == "-" || !word.hasPrefix("-") {
                operands.append(word)
                continue
            }
            guard let option = options.first(where: { $0.name == name }) else {
                throw Misuse(message: "\(word) is not an option of this command")
            }
            guard values[name] == nil else { throw Misuse(message: "\(name) is given twice") }
            switch (option.value, parts.count) {
            case (nil, 1): values[name] = ""
            case (nil, _): throw Misuse(message: "\(name) takes no value")
            case (_, 2): values[name] = parts[1]
            default: values[name] = rest.popFirst() ?? ""
            }
            if option.value != nil, values[name]?.isEmpty ?? true { throw Misuse(message: "\(name) needs a value") }
        }
    }

    /// Whether the option was given.
    func has(_ option: Command.Option) -> Bool { values[option.name] != nil }

    /// The option's value; nil where it was not given.
    func value(of option: Command.Option) -> String? { values[option.name] }

    /// The configuration to read.
    var configuration: String { value(of: .config) ?? "passgate.yaml" }
}
