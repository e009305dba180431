import ProviderKit
import SecretMemory

/// Where a request stands in its caller's trace, by W3C Trace Context: processors are told, and the log has it.
public struct TraceContext: Sendable, Equatable {
    /// The trace of the request that the task serves.
    @TaskLocal public static var current: TraceContext?

    /// The whole trace: 32 hexadecimal digits.
    public let traceID: String
    /// What is done here: 16 hexadecimal digits.
    public let spanID: String
    /// Two hexadecimal digits: whether it is recorded, and whether the trace's id is random.
    public let flags: String
    /// What tracing systems passed along, as it came.
    public let state: String?

    /// Continues a caller's trace with a span of ours.
    ///
    /// - Parameters:
    ///   - fields: Header fields, names in lower case.
    ///   - random: Gives that many random bytes.
    /// - Returns: Nil where there is no `traceparent`, more than one, or a malformed one, as the standard asks.
    public init?(continuing fields: [(name: String, value: String)], random: (Int) -> [UInt8]) {
        var parent: String?
        for (name, value) in fields where name == "traceparent" {
            if parent != nil { return nil }
            parent = value
        }
        guard let parts = parent?.split(separator: "-", omittingEmptySubsequences: false), parts.count >= 4,
            Self.isHex(parts[0], 2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            Self.isHex(parts[1], 32), parts[1].contains(where: { $0 != "0" }),
            Self.isHex(parts[2], 16), parts[2].contains(where: { $0 != "0" }),
            Self.isHex(parts[3], 2), let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        traceID = String(parts[1])
        spanID = Self.newSpan(random)
        self.flags = Self.hex([flags & 0x03])
        state = Self.state(in: fields)
    }

    /// A trace of our own, with one span: the same for the same bytes.
    init(root bytes: [UInt8], random: (Int) -> [UInt8]) {
        traceID = Self.hex(Array(bytes.prefix(16)))
        spanID = Self.newSpan(random)
        flags = "01"
        state = nil
    }

    /// The value of the `traceparent` field that tells it.
    public var traceparent: String { "00-\(traceID)-\(spanID)-\(flags)" }

    /// The request with the fields that tell it, where it has none.
    func added(to request: UpstreamRequest) -> UpstreamRequest {
        var request = request
        if !request.headers.contains(where: { $0.name.lowercased() == "traceparent" }) {
            request.headers.append(UpstreamRequest.Header("traceparent", traceparent))
        }
        if let state { request.headers.append(UpstreamRequest.Header("tracestate", state)) }
        return request
    }

    /// The members of all `tracestate` fields in order; nil where they are too many, too long or not printable.
    private static func state(in fields: [(name: String, value: String)]) -> String? {
        var members: [Substring] = []
        for (name, value) in fields where name == "tracestate" {
            for member in value.split(separator: ",") {
                let member = member.drop { $0 == " " || $0 == "\t" }
                if !member.isEmpty { members.append(member) }
            }
        }
        let text = members.joined(separator: ",")
        let isFit =
            !members.isEmpty && members.count <= 32 && text.utf8.count <= 512
            && members.allSatisfy { $0.contains("=") } && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        return isFit ? text : nil
    }

    /// An id that is not all zeros.
    private static func newSpan(_ random: (Int) -> [UInt8]) -> String {
        var bytes = random(8)
        if bytes.allSatisfy({ $0 == 0 }) { bytes[bytes.count - 1] = 1 }
        return hex(bytes)
    }

    private static func hex(_ bytes: [UInt8]) -> String { Hexadecimal.encode(SecretBytes(bytes)).revealText() ?? "" }

    private static func isHex(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
