/// What a provisioning brought: its record, and the handoff for the app.
public struct Provisioned: Sendable {
    /// The record, to be kept.
    public let record: ProvisioningRecord
    /// What the app needs: to be passed on at once, and not to be kept.
    public let handoff: HandoffPayload
}
