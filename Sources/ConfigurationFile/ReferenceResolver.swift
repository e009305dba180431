public import SecretMemory

/// Puts in what a text of the configuration refers to.
///
/// - `${NAME}`, anywhere in a text, stands for an environment variable; `$${` stands for `${` itself.
/// - `file:path`, the whole text, stands for a file's contents without one newline at the end. The path may hold
///   variables; a relative one starts at the configuration's folder.
///
/// What was put in is not looked at again.
public struct ReferenceResolver: Sendable {
    /// How large a file may be.
    static let fileLimit = 262_144

    /// The configuration's folder; empty for the working folder.
    let folder: String
    /// Looks an environment variable up.
    let environment: @Sendable (String) -> SecretText?
    private let expanded = ExpandedTexts()

    /// The text with its references put in, or nil where `report` was told why not.
    func resolve(_ text: SecretText, report: (String) -> Void) -> SecretText? {
        guard text.bytes.withSpan({ starts($0, with: "file:") }) else { return expand(text.bytes, report: report) }
        let rest = text.bytes.withSpan { span in
            var builder = SecretBuilder(capacity: span.count)
            builder.append(span.extracting(5..<span.count))
            return builder.finish()
        }
        guard let path = expand(rest, report: report)?.reveal() else { return nil }
        do throws(FileFailure) {
            return try contents(of: path)
        } catch {
            report(error.description)
            return nil
        }
    }

    /// The text of a file, without one newline at its end.
    ///
    /// - Throws: A sentence that names the file as the configuration does: what a variable held is not shown, since it may
    ///   be a secret that was never meant for a path.
    public func contents(of path: String) throws(FileFailure) -> SecretText {
        guard !path.isEmpty else { throw FileFailure("names no file") }
        guard !path.contains("\n"), !path.hasPrefix("-----BEGIN") else {
            throw FileFailure("must be the path of a file, and holds something else")
        }
        let full = absolute(path)
        let shown = expanded.written(for: path) ?? full
        let bytes: SecretBytes
        do throws(FileFailure) {
            bytes = try SecretBytes(contentsOfFile: full, limit: Self.fileLimit)
        } catch {
            throw FileFailure("the file \(shown) \(error.description)")
        }
        let trimmed = bytes.withSpan { span in
            var end = span.count
            if end > 0, span[end - 1] == 0x0a { end -= 1 }
            if end < span.count, end > 0, span[end - 1] == 0x0d { end -= 1 }
            var builder = SecretBuilder(capacity: end)
            builder.append(span.extracting(0..<end))
            return builder.finish()
        }
        guard let text = SecretText(utf8: trimmed) else { throw FileFailure("the file \(shown) is not UTF-8 text") }
        return text
    }

    /// The path, put after the configuration's folder unless it is absolute.
    public func absolute(_ path: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
    }

    private func expand(_ bytes: SecretBytes, report: (String) -> Void) -> SecretText? {
        var builder = SecretBuilder(capacity: bytes.count)
        var isWhole = true
        bytes.withSpan { span in
            var index = 0
            while index < span.count {
                let rest = span.extracting(index..<span.count)
                if starts(rest, with: "$${") {
                    builder.append("${")
                    index += 3
                } else if starts(rest, with: "${") {
                    let name = variableName(in: rest.extracting(2..<rest.count))
                    if let name, let value = environment(name) {
                        builder.append(value.bytes)
                    } else {
                        isWhole = false
                        report(
                            name.map { "the environment variable \($0) is not set" }
                                ?? "${ must be followed by a variable's name and }; write $${ for the characters alone")
                    }
                    index += 3 + (name?.utf8.count ?? 0)
                } else {
                    builder.append(span[index])
                    index += 1
                }
            }
        }
        guard isWhole, let text = SecretText(utf8: builder.finish()) else { return nil }
        if text.bytes != bytes { expanded.add(text, writtenAs: bytes) }
        return text
    }

    /// The name before the closing brace; nil where there is none.
    private func variableName(in span: Span<UInt8>) -> String? {
        var name: [UInt8] = []
        for index in 0..<span.count {
            switch span[index] {
            case 0x7d: return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
            case 0x41...0x5a, 0x61...0x7a, 0x5f: name.append(span[index])
            case 0x30...0x39 where !name.isEmpty: name.append(span[index])
            default: return nil
            }
        }
        return nil
    }

    private func starts(_ span: Span<UInt8>, with prefix: StaticString) -> Bool {
        let prefix = Array("\(prefix)".utf8)
        guard span.count >= prefix.count else { return false }
        return prefix.indices.allSatisfy { span[$0] == prefix[$0] }
    }
}
