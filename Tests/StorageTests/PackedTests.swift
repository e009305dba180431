import Provisioning
import Testing

@testable import Storage

struct PackedTests {
    @Test(arguments: [0, 1, 127, 128, 300, -1, .min, .max] as [Int64])
    func numbersComeBack(_ number: Int64) throws {
        var writer = PackedWriter()
        writer.append(number)
        var reader = PackedReader(writer.bytes)
        #expect(try reader.number() == number && reader.isAtEnd)
    }

    @Test(arguments: ["", "a", "Zoë 山田 👩🏽‍🚀", "\u{0}"])
    func textsComeBack(_ text: String) throws {
        var writer = PackedWriter()
        writer.append(text)
        writer.append(Optional(text))
        writer.append(String?.none)
        var reader = PackedReader(writer.bytes)
        #expect(try reader.text() == text)
        #expect(try reader.optionalText() == text)
        #expect(try reader.optionalText() == nil && reader.isAtEnd)
    }

    @Test func everyCutIsRefusedAndNoneTraps() throws {
        let bytes = StoredProvisioning.sample().timeline.packed
        #expect(try [TimelineStep](packed: bytes) == StoredProvisioning.sample().timeline)
        for count in 0..<bytes.count {
            #expect(throws: StoreFailure.self) { try [TimelineStep](packed: Array(bytes.prefix(count))) }
        }
    }

    @Test func noiseIsRefusedOrReadAndNeverTraps() {
        var seed: UInt64 = 7
        for _ in 0..<5000 {
            let bytes = (0..<24).map { _ in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: seed >> 40)
            }
            _ = try? [TimelineStep](packed: bytes)
            _ = try? StoredFailure(packed: bytes)
            _ = try? IdempotencyEnding(packed: bytes)
            _ = try? [AuditMember](packed: bytes)
        }
        #expect(throws: StoreFailure.self) { try IdempotencyEnding(packed: [9]) }
    }

    @Test(arguments: [
        StoredFailure(code: .providerTimeout, outcome: .unknown, situation: .sentSingleUse),
        StoredFailure(
            code: .cardIneligible, outcome: .refused, situation: .notSent, reason: "frozen",
            upstream: UpstreamReport(status: nil, code: nil, requestID: "r")),
        StoredFailure(
            code: .internalError, outcome: .notSent, situation: .sentRepeatable,
            upstream: UpstreamReport(status: 503, code: "x.y-z", requestID: nil)),
    ])
    func failuresComeBack(_ failure: StoredFailure) throws {
        #expect(try StoredFailure(packed: failure.packed) == failure)
    }

    @Test(arguments: [1, 255, 256, 1 << 40, .max] as [Int64])
    func cursorsComeBackForTheirOwnList(_ number: Int64) throws {
        let cursor = Cursor(.cards, after: number)
        #expect(try Cursor(cursor.text, of: .cards) == cursor)
        #expect(throws: StoreFailure.invalidCursor) { try Cursor(cursor.text, of: .provisionings) }
        #expect(cursor.text.utf8.allSatisfy { $0 != 0x2b && $0 != 0x2f && $0 != 0x3d })
    }
}
