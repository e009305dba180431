/// What the device said of an attempt: the app tells its backend, which tells the gateway.
public struct DeviceOutcome: Codable, Hashable, Sendable {
    /// An error as the wallet or the SDK gave it.
    public struct Failure: Codable, Hashable, Sendable {
        /// The domain of the code, such as `PKPassKitErrorDomain`.
        public var domain: String?
        /// The code: a number or a word.
        public var code: JSONValue?
        /// The message. The gateway reads it and keeps nothing of it.
        public var message: String?

        /// Makes an error of its members, with a number for a code.
        public init(domain: String?, code: Int, message: String? = nil) {
            self.domain = domain
            self.code = .integer(Int64(code))
            self.message = message
        }

        /// Makes an error of its members, with a word for a code.
        public init(domain: String? = nil, code: String, message: String? = nil) {
            self.domain = domain
            self.code = .text(code)
            self.message = message
        }
    }

    /// What became of it.
    public var result: DeviceResult
    /// Why, where it failed or was cancelled.
    public var error: Failure?

    /// Makes an outcome of its members.
    public init(_ result: DeviceResult, error: Failure? = nil) {
        self.result = result
        self.error = error
    }
}
