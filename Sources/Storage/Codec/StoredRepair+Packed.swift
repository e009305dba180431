extension [StoredRepair] {
    func pack(into writer: inout PackedWriter) {
        writer.append(self) { writer, note in
            writer.append(note.pointer)
            writer.append(note.word)
        }
    }

    init(from reader: inout PackedReader) throws(StoreFailure) {
        self = try reader.elements { reader throws(StoreFailure) in
            StoredRepair(pointer: try reader.text(), word: try reader.text())
        }
    }
}
