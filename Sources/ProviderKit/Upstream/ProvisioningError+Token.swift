public import Provisioning

extension ProvisioningError {
    /// The failure of a call whose path names a token and nothing else: what the processor did not find is the token,
    /// whatever it calls it.
    public var aboutToken: ProvisioningError {
        code == .providerCardNotFound ? ProvisioningError(.tokenNotFound, outcome: outcome, upstream: upstream) : self
    }
}
