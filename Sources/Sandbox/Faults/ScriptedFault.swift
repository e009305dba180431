import JSON
public import ProviderConformance
import ProviderKit
public import SecretMemory

/// Something that goes wrong with the next requests to an emulator. What it leaves nil stays as the emulator has it.
public struct ScriptedFault: Sendable {
    /// How many requests it lets pass before it.
    public var skip = 0
    /// How many requests it is for.
    public var count = 1
    /// Only requests whose path ends so; nil takes any.
    public var pathSuffix: String?
    /// Whether the emulator acts on the request first: then it has happened, and only its answer is spoiled.
    public var afterHandling = false
    /// The status instead.
    public var status: Int?
    /// The body's media type instead.
    public var contentType: String?
    /// The body instead.
    public var body: SecretBytes?
    /// Header fields that are added.
    public var headers: [(name: String, value: String)] = []
    /// How long the answer is held back.
    public var delay: Duration?
    /// How the connection is broken.
    public var breaks: EmulatedResponse.Break?
    /// How many bytes the body has at least: it is filled up with spaces, which JSON allows.
    public var fillsBodyTo: Int?
    /// How the emulator's own JSON is changed.
    public var rewriting = Rewriting.none
    /// Whether half of the body is left out, as if that were all of it.
    public var halvesBody = false

    /// A fault that does nothing yet, for one request.
    public init() {}

    /// A request that gets this answer, whatever it says.
    public init(answering response: EmulatedResponse) {
        status = response.status
        body = response.body
        contentType = response.headers.first { $0.name.lowercased() == "content-type" }?.value
        headers = response.headers.filter { $0.name.lowercased() != "content-type" }
        delay = response.delay
        breaks = response.breaks
    }

    /// Whether the emulator's own answer is needed.
    var needsAnswer: Bool { afterHandling || (status == nil && body == nil && breaks != .reset) }

    /// The answer, spoiled. `answer` is the emulator's own, where it was asked.
    func spoil(_ answer: EmulatedResponse?) -> EmulatedResponse {
        var spoiled = answer ?? EmulatedResponse(status: 200)
        if let status { spoiled.status = status }
        if let body {
            spoiled.body = body
            spoiled.headers.removeAll { $0.name.lowercased() == "content-type" }
            spoiled.headers.append(("content-type", contentType ?? "application/json"))
        }
        if rewriting != .none, let view = try? JSONParser().parse(spoiled.body).root {
            spoiled.body = view.rewritten(rewriting)
        }
        if halvesBody { spoiled.body = SecretBytes(Array(spoiled.body.reveal().prefix(spoiled.body.count / 2))) }
        spoiled.headers += headers
        if let delay { spoiled.delay = delay }
        if let breaks { spoiled.breaks = breaks }
        if let fillsBodyTo, spoiled.body.count < fillsBodyTo {
            var filled = SecretBuilder(capacity: fillsBodyTo)
            filled.append(spoiled.body)
            while filled.count < fillsBodyTo { filled.append(0x20) }
            spoiled.body = filled.finish()
        }
        return spoiled
    }
}
