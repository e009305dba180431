public import Provisioning

/// A provider that the gateway can make from a connection's settings. What the catalogue lists.
public protocol ConfigurableProvider: ProvisioningProvider {
    /// Reads the settings, reporting every problem in them, and makes the adapter; nil where a problem forbids it.
    init?(settings: ConnectionSettings, kit: AdapterKit)
}
