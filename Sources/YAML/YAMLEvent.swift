import SecretMemory

/// One step of a document, as libyaml finds it.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case documentEnd
        case scalar(SecretText, YAMLScalarStyle)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
        case alias
        /// The syntax is broken, and nothing follows.
        case broken(String)
    }

    let kind: Kind
    let position: YAMLPosition
    var hasAnchor = false
    var hasTag = false
}
