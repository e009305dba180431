/// Ways through the nodes that make no views: a view of every value would cost more than the parse.
extension JSONDocument {
    /// The index after the value at `index` and everything in it.
    func end(of index: Int) -> Int {
        switch nodes[index].kind {
        case .array, .object: nodes[index].second
        default: index + 1
        }
    }

    /// The indices of an object's names, in order.
    func names(of index: Int) -> [Int] {
        var names: [Int] = []
        names.reserveCapacity(nodes[index].first)
        var position = index + 1
        while position < nodes[index].second {
            names.append(position)
            position = end(of: position + 1)
        }
        return names
    }

    /// Where the bytes of the string at `index` stand in the text.
    func range(of index: Int) -> Range<Int> { nodes[index].first..<(nodes[index].first + nodes[index].second) }

    /// Less than, equal to or more than 0, as the one string stands before, at or after the other by its bytes.
    func compare(_ left: Int, _ right: Int, in text: Span<UInt8>) -> Int {
        let left = text.extracting(range(of: left))
        let right = text.extracting(range(of: right))
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
            return left[index] < right[index] ? -1 : 1
        }
        return left.count - right.count
    }

    /// An object's names sorted by their bytes; equal ones stay in their order.
    func sortedNames(of index: Int, in text: Span<UInt8>) -> [Int] {
        var names = names(of: index)
        names.sort { left, right in
            let comparison = compare(left, right, in: text)
            return comparison == 0 ? left < right : comparison < 0
        }
        return names
    }
}
