import SecretMemory

/// Puts events together to a tree, and notes what a configuration may not hold.
struct YAMLTreeBuilder {
    private(set) var root: YAMLNode?
    private(set) var problems: [YAMLProblem] = []
    private(set) var isBroken = false
    private var frames: [Frame] = []
    private var documents = 0
    private let depthLimit: Int

    /// A list or mapping that is not yet closed.
    private struct Frame {
        let isMapping: Bool
        let position: YAMLPosition
        var items: [YAMLNode] = []
        var members: [YAMLMember] = []
        var seen: Set<String> = []
        /// The key whose value comes next.
        var key: Key?
        /// Whether this stands where a key should, or under something refused.
        let isRefused: Bool
    }

    private struct Key {
        let text: String
        let position: YAMLPosition
        /// Whether the value is dropped: the key came before, or was refused.
        let isDropped: Bool
    }

    init(depthLimit: Int) { self.depthLimit = depthLimit }

    /// Takes the next event. False when no more are wanted.
    mutating func take(_ event: YAMLEvent) -> Bool {
        if event.hasAnchor { note(event.position, "anchors (&name) are not supported; write the value out") }
        if event.hasTag { note(event.position, "tags (!name) are not supported; every value is taken as written") }
        switch event.kind {
        case .documentStart:
            documents += 1
            guard documents > 1 else { return true }
            note(event.position, "only one document may stand in a file")
            return false
        case .documentEnd: return true
        case .broken(let message):
            isBroken = true
            note(event.position, message)
            return false
        case .alias:
            note(event.position, "aliases (*name) are not supported; write the value out")
            place(YAMLNode(.refused, at: event.position))
        case .scalar(let text, let style): takeScalar(text, style, event.position)
        case .sequenceStart: return open(isMapping: false, event.position)
        case .mappingStart: return open(isMapping: true, event.position)
        case .sequenceEnd, .mappingEnd: close()
        }
        return true
    }

    private mutating func takeScalar(_ text: SecretText, _ style: YAMLScalarStyle, _ position: YAMLPosition) {
        guard let frame = frames.last, frame.isMapping, frame.key == nil else {
            return place(YAMLNode(.scalar(text, style), at: position))
        }
        let key = text.reveal()
        var isDropped = frame.isRefused
        if style == .plain, key == "<<" {
            note(position, "merge keys (<<) are not supported; write the members out")
            isDropped = true
        } else if frame.seen.contains(key) {
            note(position, "is given twice", below: key)
            isDropped = true
        }
        frames[frames.count - 1].seen.insert(key)
        frames[frames.count - 1].key = Key(text: key, position: position, isDropped: isDropped)
    }

    private mutating func open(isMapping: Bool, _ position: YAMLPosition) -> Bool {
        guard frames.count < depthLimit else {
            isBroken = true
            note(position, "is nested deeper than \(depthLimit) levels")
            return false
        }
        let standsForKey = frames.last.map { $0.isMapping && $0.key == nil } ?? false
        if standsForKey { note(position, "a key must be a text") }
        frames.append(Frame(isMapping: isMapping, position: position, isRefused: standsForKey))
        return true
    }

    private mutating func close() {
        guard let frame = frames.popLast() else { return }
        if frame.isRefused { return place(YAMLNode(.refused, at: frame.position)) }
        place(YAMLNode(frame.isMapping ? .mapping(frame.members) : .sequence(frame.items), at: frame.position))
    }

    /// Puts a finished node where it belongs.
    private mutating func place(_ node: YAMLNode) {
        guard let last = frames.indices.last else {
            root = root ?? node
            return
        }
        guard frames[last].isMapping else {
            frames[last].items.append(node)
            return
        }
        guard let key = frames[last].key.take() else {
            // It stands where a key should, and was reported: its value goes with it.
            frames[last].key = Key(text: "", position: node.position, isDropped: true)
            return
        }
        if !key.isDropped {
            frames[last].members.append(YAMLMember(key: key.text, at: key.position, value: node))
        }
    }

    private mutating func note(_ position: YAMLPosition, _ message: String, below key: String? = nil) {
        var path = ""
        for frame in frames {
            if frame.isMapping {
                guard let key = frame.key else { continue }
                path += path.isEmpty ? key.text : ".\(key.text)"
            } else {
                path += "[\(frame.items.count)]"
            }
        }
        if let key { path += path.isEmpty ? key : ".\(key)" }
        problems.append(YAMLProblem(at: position, keyPath: path, message))
    }
}
