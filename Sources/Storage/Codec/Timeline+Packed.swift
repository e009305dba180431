import Provisioning

extension [TimelineStep] {
    var packed: [UInt8] {
        var writer = PackedWriter()
        writer.append(self) { writer, step in
            writer.append(step.at)
            writer.append(step.step)
            writer.append(step.source)
            writer.append(step.code)
            writer.append(step.detail)
        }
        return writer.bytes
    }

    init(packed bytes: [UInt8]) throws(StoreFailure) {
        var reader = PackedReader(bytes)
        self = try reader.elements { reader throws(StoreFailure) in
            TimelineStep(
                at: try reader.moment(), step: try reader.text(), source: try reader.text(),
                code: try reader.optionalText(), detail: try reader.optionalText())
        }
    }
}
