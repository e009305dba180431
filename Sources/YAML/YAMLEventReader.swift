import CYAML
import SecretMemory

/// Drives libyaml's parser over a text.
enum YAMLEventReader {
    /// Calls `take` with each event, until it returns false or the text ends.
    static func read(_ text: SecretBytes, _ take: (YAMLEvent) -> Bool) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        let start = YAMLPosition(line: 1, column: 1)
        guard yaml_parser_initialize(parser) == 1 else {
            _ = take(YAMLEvent(kind: .broken("there is no memory to read it"), position: start))
            return
        }
        defer { yaml_parser_delete(parser) }
        text.withUnsafeBytes { bytes in
            // libyaml wants an address even where there are no bytes.
            let empty: [UInt8] = [0]
            empty.withUnsafeBufferPointer { empty in
                let base = bytes.bindMemory(to: UInt8.self).baseAddress ?? empty.baseAddress
                yaml_parser_set_input_string(parser, base, bytes.count)
                yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
                while let event = next(parser, in: bytes), take(event) {}
            }
        }
    }

    /// The next event that matters; nil at the end.
    private static func next(_ parser: UnsafeMutablePointer<yaml_parser_t>, in bytes: UnsafeRawBufferPointer)
        -> YAMLEvent?
    {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { return failure(of: parser.pointee, in: bytes) }
            defer { yaml_event_delete(&event) }
            let position = YAMLPosition(
                line: Int(event.start_mark.line) + 1, column: Int(event.start_mark.column) + 1)
            switch event.type {
            case YAML_DOCUMENT_START_EVENT: return YAMLEvent(kind: .documentStart, position: position)
            case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, position: position)
            case YAML_ALIAS_EVENT: return YAMLEvent(kind: .alias, position: position)
            case YAML_SCALAR_EVENT:
                let scalar = event.data.scalar
                let text = SecretText(
                    utf8: SecretBytes(copying: UnsafeBufferPointer(start: scalar.value, count: scalar.length)))
                return YAMLEvent(
                    kind: text.map { .scalar($0, scalar.style == YAML_PLAIN_SCALAR_STYLE ? .plain : .quoted) }
                        ?? .broken("is not UTF-8"),
                    position: position, hasAnchor: scalar.anchor != nil, hasTag: scalar.tag != nil)
            case YAML_SEQUENCE_START_EVENT:
                let sequence = event.data.sequence_start
                return YAMLEvent(
                    kind: .sequenceStart, position: position, hasAnchor: sequence.anchor != nil,
                    hasTag: sequence.tag != nil)
            case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, position: position)
            case YAML_MAPPING_START_EVENT:
                let mapping = event.data.mapping_start
                return YAMLEvent(
                    kind: .mappingStart, position: position, hasAnchor: mapping.anchor != nil,
                    hasTag: mapping.tag != nil)
            case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, position: position)
            case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return nil
            default: continue
            }
        }
    }

    private static func failure(of parser: yaml_parser_t, in bytes: UnsafeRawBufferPointer) -> YAMLEvent {
        let words = parser.problem.map { String(cString: $0) } ?? "cannot be read"
        guard parser.error != YAML_READER_ERROR else {
            let before = bytes.prefix(Int(parser.problem_offset))
            let line = before.count { $0 == 0x0a } + 1
            let column = before.count - (before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0) + 1
            let what = words.contains("control") ? "holds a control character" : "is not UTF-8"
            return YAMLEvent(kind: .broken("\(what) (\(words))"), position: YAMLPosition(line: line, column: column))
        }
        let line = Int(parser.problem_mark.line)
        let position = YAMLPosition(line: line + 1, column: Int(parser.problem_mark.column) + 1)
        let isTab =
            lines(of: bytes, upTo: line).last?.unicodeScalars.dropFirst(position.column - 1).first == "\t"
            || lines(of: bytes, upTo: line).last?.prefix { $0 == " " || $0 == "\t" }.contains("\t") == true
        if isTab { return YAMLEvent(kind: .broken("a tab cannot indent; use spaces"), position: position) }
        let context = parser.context.map { " " + String(cString: $0) } ?? ""
        return YAMLEvent(kind: .broken(words + context), position: position)
    }

    /// The lines from the first to that number, counted from 0.
    private static func lines(of bytes: UnsafeRawBufferPointer, upTo last: Int) -> [Substring] {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.split(separator: "\n", omittingEmptySubsequences: false).prefix(last + 1))
    }
}
