import Crypto
public import HTTPClient
public import Provisioning

extension TransportOptions {
    /// When the first of our certificates and of the authorities' ends; nil where none is configured.
    public var certificatesEndAt: Timestamp? {
        [certificateAuthorities, clientCertificate].compactMap { $0 }.flatMap(Certificate.blocks)
            .compactMap { try? Certificate(text: $0).notAfter }.min()
    }
}
