import Provisioning

extension IdempotencyEnding {
    private enum Kind: Int64 {
        case problem = 1
        case handoff = 2
        case answer = 3
    }

    var packed: [UInt8] {
        var writer = PackedWriter()
        switch self {
        case .problem(let code, let retry, let status, let body):
            writer.append(Kind.problem.rawValue)
            writer.append(code.rawValue)
            writer.append(retry.rawValue)
            writer.append(status)
            writer.append(body)
        case .handoff(let provisioning, let upstreamKey, let at):
            writer.append(Kind.handoff.rawValue)
            writer.append(provisioning)
            writer.append(upstreamKey)
            writer.append(at)
        case .answer(let status, let body):
            writer.append(Kind.answer.rawValue)
            writer.append(status)
            writer.append(body)
        }
        return writer.bytes
    }

    init(packed bytes: [UInt8]) throws(StoreFailure) {
        var reader = PackedReader(bytes)
        switch Kind(rawValue: try reader.number()) {
        case .problem:
            self = .problem(
                code: try reader.word(ProblemCode.self), retry: try reader.word(RetryClass.self),
                status: Int(try reader.number()), body: try reader.text())
        case .handoff:
            self = .handoff(
                provisioning: try reader.text(), upstreamKey: try reader.optionalText(), at: try reader.moment())
        case .answer:
            self = .answer(status: Int(try reader.number()), body: try reader.text())
        case nil:
            throw .broken("A request ended in a way that this version does not know.")
        }
    }
}
