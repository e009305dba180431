import Testing

@testable import SecretMemory

struct WipedArrayTests {
    @Test func givesBackWhatItWasMadeOf() {
        let list = WipedArray(count: 3) { $0 * 10 }
        #expect(list.count == 3)
        #expect((0..<3).map { list[$0] } == [0, 10, 20])
        #expect(WipedArray(count: 0) { $0 }.count == 0)
    }

    @Test func leavesNothingBehind() {
        let list = WipedArray(count: 2) { _ in 4_242_424_242_424_242 }
        // What happens when the last copy goes; afterwards nobody may look.
        WipedArray<Int>.Storage.wipe(list.storage.elements)
        #expect(list[0] == 0 && list[1] == 0)
    }
}
