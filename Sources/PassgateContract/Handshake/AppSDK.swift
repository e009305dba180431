/// What the app's SDKs say of themselves.
public struct AppSDK: Codable, Hashable, Sendable {
    /// The version that Stripe's SDK asked its key provider for. Never one that the backend chose.
    public var stripeAPIVersion: String?

    /// Makes it of its members.
    public init(stripeAPIVersion: String? = nil) { self.stripeAPIVersion = stripeAPIVersion }

    enum CodingKeys: String, CodingKey {
        case stripeAPIVersion = "stripe_api_version"
    }
}
