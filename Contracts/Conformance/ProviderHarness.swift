public import ProviderKit
public import Provisioning

/// What a provider's tests supply so that the suite can exercise it.
///
/// A harness may play fixtures back (`ProviderTesting.ReplayHarness`), or put an emulator or a sandbox into the situation.
public protocol ProviderHarness: Sendable {
    /// The provider under test.
    associatedtype Provider: ProvisioningProvider

    /// Why the situation cannot be at this processor, or cannot be staged here; nil where it can.
    ///
    /// It is then reported as not run, never as passed.
    func absence(of situation: Situation, for operation: Operation) -> String?

    /// How many exchanges the operation takes where all is well; 0 where the provider answers by itself.
    func exchanges(for operation: Operation) -> Int

    /// A fresh world in that situation.
    func stage(_ situation: Situation, for operation: Operation) async throws -> Stage<Provider>
}

/// A provider in a world of its own.
public struct Stage<Provider: ProvisioningProvider>: Sendable {
    /// The provider.
    public let provider: Provider
    /// A request that the operation's row allows; of an eligibility, its card counts alone.
    public let request: ProvisioningRequest
    /// Another such request, whose handshake is not spent by the first.
    public let another: @Sendable () throws -> ProvisioningRequest
    /// Texts that no description may show: keys, handshake and payload, in each form that they travel in.
    public let secrets: @Sendable () -> [String]
    /// What the upstream answers say to people. None of it may be passed on.
    public let upstreamTexts: @Sendable () -> [String]
    /// What has been sent so far.
    public let sent: @Sendable () -> [UpstreamRequest]
    /// In what the requests differ from what the processor's page shows.
    public let complaints: @Sendable () -> [String]

    /// Makes a stage of its members. Without `another` the request itself serves again.
    public init(
        provider: Provider, request: ProvisioningRequest, another: (@Sendable () throws -> ProvisioningRequest)? = nil,
        secrets: @escaping @Sendable () -> [String], upstreamTexts: @escaping @Sendable () -> [String],
        sent: @escaping @Sendable () -> [UpstreamRequest],
        complaints: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.provider = provider
        self.request = request
        self.another = another ?? { request }
        self.secrets = secrets
        self.upstreamTexts = upstreamTexts
        self.sent = sent
        self.complaints = complaints
    }
}
