import SecretMemory
import Testing

@testable import Gateway

@Suite("A text that comes in pieces is cut into lines")
struct LineSplitterTests {
    /// The lines of a text that comes in pieces of that many bytes: `number:text`, or `number!` where it is too long.
    private func lines(_ bytes: [UInt8], piece: Int, limit: Int = 64) -> [String] {
        var splitter = LineSplitter(limit: limit)
        var lines: [LineSplitter.Line] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            lines += splitter.take(SecretBytes(Array(bytes[start..<min(start + piece, bytes.count)])))
        }
        if let last = splitter.finish() { lines.append(last) }
        return lines.map { line in
            line.text.map { "\(line.number):\(String(decoding: $0.reveal(), as: UTF8.self))" } ?? "\(line.number)!"
        }
    }

    private func lines(_ text: String, piece: Int, limit: Int = 64) -> [String] {
        lines(Array(text.utf8), piece: piece, limit: limit)
    }

    @Test(arguments: [1, 2, 3, 5, 1000])
    func wherePiecesEndDoesNotMatter(piece: Int) {
        #expect(lines("a\nb👩🏽‍🚀ü\n\nc", piece: piece) == ["1:a", "2:b👩🏽‍🚀ü", "4:c"])
    }

    @Test(arguments: [1, 2, 7, 1000])
    func blankLinesAreCountedAndDropped(piece: Int) {
        #expect(lines("\n \t\n\r\n  \r\na\n\n\n", piece: piece) == ["5:a"])
        #expect(lines("", piece: piece) == [] && lines("\n", piece: piece) == [])
    }

    @Test(arguments: [1, 2, 3, 1000])
    func aCarriageReturnAndAByteOrderMarkAreNoPartOfALine(piece: Int) {
        #expect(lines("\u{feff}a\r\nb\r\n\u{feff}c\r", piece: piece) == ["1:a", "2:b", "3:\u{feff}c"])
        #expect(lines("\u{feff}\n\u{feff}", piece: piece) == ["2:\u{feff}"])
        #expect(lines("\u{feff}", piece: piece) == [])
        #expect(lines("a\rb\n", piece: piece) == ["1:a\rb"], "one within a line is")
    }

    @Test(arguments: [1, 3, 1000])
    func aLineOverTheLimitIsToldAndNotHeld(piece: Int) {
        let long = String(repeating: "x", count: 9)
        #expect(lines("\(long)\na\n\(long)\(long)\(long)\nb", piece: piece, limit: 8) == ["1!", "2:a", "3!", "4:b"])
        #expect(lines("\u{feff}\(long.dropLast())\r\n", piece: piece, limit: 8) == ["1:xxxxxxxx"])
        #expect(lines(String(repeating: long, count: 99), piece: piece, limit: 8) == ["1!"])
    }

    @Test func bytesThatAreNoTextAreLeftToTheReader() {
        var splitter = LineSplitter(limit: 8)
        let found = splitter.take(SecretBytes([0xff, 0x00, 0xc3, 0x0a]))
        #expect(found.first?.text?.reveal() == [0xff, 0x00, 0xc3])
    }
}
