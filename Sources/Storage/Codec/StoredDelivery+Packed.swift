extension [StoredDelivery.Attempt] {
    var packed: [UInt8] {
        var writer = PackedWriter()
        writer.append(self) { writer, attempt in
            writer.append(attempt.at)
            writer.append(attempt.milliseconds)
            writer.append(attempt.status)
            writer.append(attempt.failure)
        }
        return writer.bytes
    }

    init(packed bytes: [UInt8]) throws(StoreFailure) {
        if bytes.isEmpty {
            self = []
            return
        }
        var reader = PackedReader(bytes)
        self = try reader.elements { reader throws(StoreFailure) in
            StoredDelivery.Attempt(
                at: try reader.moment(), milliseconds: Int(try reader.number()), status: try reader.optionalNumber(),
                failure: try reader.optionalText())
        }
    }
}
