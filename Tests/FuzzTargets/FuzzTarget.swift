/// One kind of input that comes from outside, and what holds of it whatever comes.
///
/// The same targets run under libFuzzer (`make fuzz`) and, with the inputs in `fuzz/corpora`, in `make test`.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// Looks at one input: it returns when everything held.
    public typealias Check = @Sendable (_ input: [UInt8]) async throws(BrokenPromise) -> Void

    /// Its name, and that of its folder in `fuzz/corpora`.
    public let name: String
    /// Makes what is needed once, keys and a gateway say, and gives the check.
    public let prepare: @Sendable () async throws -> Check

    /// Its name.
    public var description: String { name }

    init(_ name: String, prepare: @escaping @Sendable () async throws -> Check) {
        self.name = name
        self.prepare = prepare
    }
}

extension FuzzTarget {
    /// Requests to the facade: routes, queries, header fields and every body.
    public static let requests = FuzzTarget("requests") { try await RequestCheck().check }
    /// What a device's wallet gives.
    public static let handshakes = FuzzTarget("handshakes") { HandshakeCheck().check }
    /// Certificates and keys, in DER and in texts.
    public static let certificates = FuzzTarget("certificates") { try CertificateCheck().check }
    /// Signed tokens.
    public static let tokens = FuzzTarget("tokens") { try TokenCheck().check }
    /// Processors' webhooks: header fields and bodies.
    public static let webhooks = FuzzTarget("webhooks") { try WebhookCheck().check }
    /// Configuration files.
    public static let configuration = FuzzTarget("configuration") { ConfigurationCheck().check }
    /// Lines of an import.
    public static let imports = FuzzTarget("imports") { try await ImportCheck().check }
    /// Processors' answers to every call of every adapter.
    public static let replies = FuzzTarget("replies") { try ReplyCheck().check }

    /// All of them.
    public static let all = [
        requests, handshakes, certificates, tokens, webhooks, configuration, imports, replies,
    ]
}
