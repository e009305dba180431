import Provisioning

extension StoredFailure {
    var packed: [UInt8] {
        var writer = PackedWriter()
        writer.append(code.rawValue)
        writer.append(outcome.rawValue)
        writer.append(situation.rawValue)
        writer.append(reason)
        writer.append(upstream == nil ? 0 : 1)
        if let upstream {
            writer.append(upstream.status)
            writer.append(upstream.code)
            writer.append(upstream.requestID)
        }
        return writer.bytes
    }

    init(packed bytes: [UInt8]) throws(StoreFailure) {
        var reader = PackedReader(bytes)
        self.init(
            code: try reader.word(ProblemCode.self), outcome: try reader.word(ProvisioningOutcome.self),
            situation: try reader.word(RetrySituation.self), reason: try reader.optionalText())
        if try reader.number() == 1 {
            upstream = UpstreamReport(
                status: try reader.optionalNumber(), code: try reader.optionalText(),
                requestID: try reader.optionalText())
        }
    }
}
