/// What `conformance` needs.
struct ConformanceOptions: Equatable {
    /// The provider's id.
    var provider = ""
    /// The base URL of a real processor's sandbox; nil takes the emulator.
    var against: String?
    /// The configuration that names the connection.
    var configuration = "passgate.yaml"
    /// The connection; nil takes the provider's only one.
    var connection: String?
    /// Cards at the processor, by the situation that they are in.
    var cards: [String: String] = [:]
    /// What those cards share.
    var last4 = "0000"
    var network = "visa"
    var cardholder: String?
    var json = false
}
