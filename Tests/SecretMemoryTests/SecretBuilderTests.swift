import SecretMemory
import Testing

struct SecretBuilderTests {
    @Test(arguments: [0, 1, 16, 17, 1024]) func growsFromAnyCapacity(_ capacity: Int) {
        var builder = SecretBuilder(capacity: capacity)
        var expected: [UInt8] = []
        for round in 0..<200 {
            let byte = UInt8(truncatingIfNeeded: round)
            builder.append(byte)
            builder.append([byte, 1])
            builder.append("é")
            builder.append(SecretBytes([7, byte]))
            builder.append([UInt8](repeating: byte, count: round).span)
            expected += [byte, byte, 1, 0xc3, 0xa9, 7, byte] + [UInt8](repeating: byte, count: round)
            #expect(builder.count == expected.count)
        }
        #expect(builder.finish().reveal() == expected)
    }

    @Test func takesNothingToo() {
        var builder = SecretBuilder()
        builder.append("")
        builder.append([])
        builder.append(SecretBytes([]))
        #expect(builder.count == 0)
        #expect(builder.finish().isEmpty)
    }
}
