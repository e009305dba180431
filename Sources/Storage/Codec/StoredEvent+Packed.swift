extension [StoredEvent.Member] {
    var packed: [UInt8] {
        var writer = PackedWriter()
        writer.append(self) { writer, member in
            writer.append(member.name)
            writer.append(member.value)
        }
        return writer.bytes
    }

    init(packed bytes: [UInt8]) throws(StoreFailure) {
        var reader = PackedReader(bytes)
        self = try reader.elements { reader throws(StoreFailure) in
            StoredEvent.Member(try reader.text(), try reader.optionalText())
        }
    }
}
