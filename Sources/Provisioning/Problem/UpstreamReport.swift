/// What a processor said when it failed, as far as it is safe to tell.
public struct UpstreamReport: Sendable, Equatable {
    /// The HTTP status; nil where no answer came.
    public var status: Int?
    /// The processor's own code, if it matches `[A-Za-z0-9_.-]{1,64}` and holds no card number.
    public let code: String?
    /// The processor's request id, for its support; same form.
    public let requestID: String?

    /// Keeps the code and the request id only where they are well formed.
    public init(status: Int?, code: String? = nil, requestID: String? = nil) {
        self.status = status
        self.code = code.flatMap(Self.wellFormed)
        self.requestID = requestID.flatMap(Self.wellFormed)
    }

    /// Whether the text matches `[A-Za-z0-9_.-]{1,64}`, whatever its digits are.
    public static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, 0x5f, 0x2e, 0x2d: true
                default: false
                }
            }
    }

    private static func wellFormed(_ text: String) -> String? {
        isWord(text) && !CardNumber.occurs(in: text.utf8) ? text : nil
    }
}
