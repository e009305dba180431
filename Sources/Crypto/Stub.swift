public import ProviderKit
public import Provisioning
public import SecretMemory
/// stub
public struct KeyRing: Sendable {
    /// stub
    public func seal(_ b: SecretBytes, purpose: String, associatedData: [UInt8]) throws(CryptographyFailure) -> String { "" }
    /// stub
    public func open(_ t: String, purpose: String, associatedData: [UInt8]) throws(CryptographyFailure) -> SecretBytes { SecretBytes([]) }
    /// stub
    public func digest(_ b: SecretBytes, purpose: String) -> [UInt8] { [] }
}
/// stub
public struct Certificate: Sendable {
    /// stub
    public let der: [UInt8]
    /// stub
    public let notAfter: Timestamp
    /// stub
    public let isSelfIssued: Bool
    /// stub
    public init(der: [UInt8]) throws(CryptographyFailure) { self.der = der; notAfter = Timestamp(milliseconds: 0); isSelfIssued = false }
    /// stub
    public func issued(_ o: Certificate) -> Bool { true }
}
