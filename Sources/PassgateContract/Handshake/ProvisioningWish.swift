/// What the app asks its backend for when the cardholder taps: everything of a provisioning request but who asks. That the
/// backend knows for itself, and adds.
///
/// The app encodes it as JSON. A backend decodes it to this type, which holds nothing else, so that an app cannot put in
/// members that are not its to say.
public struct ProvisioningWish: Codable, Hashable, Sendable {
    /// The wallet.
    public var wallet: Wallet
    /// Where the cardholder tapped; nil is in app.
    public var channel: WalletChannel?
    /// What began it; nil is the app.
    public var origin: ProvisioningOrigin?
    /// The handoffs that this app build can finish.
    public var accept: [HandoffType]?
    /// The plan from `wallets`, where the app has one: it pins who serves the attempt, and its handoff.
    public var plan: String?
    /// PassKit's handshake.
    public var applePay: ApplePayHandshake?
    /// Google's ids.
    public var googlePay: GooglePayHandshake?
    /// What the app's SDKs say of themselves.
    public var client: AppSDK?

    /// A wish for Apple Pay.
    ///
    /// - Parameter handshake: PassKit's; nil for handoffs that a vendor's SDK finishes, which ask for none.
    public static func applePay(
        _ handshake: ApplePayHandshake?, accept: [HandoffType], origin: ProvisioningOrigin = .app,
        plan: String? = nil, client: AppSDK? = nil
    ) -> ProvisioningWish {
        var wish = ProvisioningWish(wallet: .applePay, accept: accept, origin: origin, plan: plan, client: client)
        wish.applePay = handshake
        return wish
    }

    /// A wish for Google Pay.
    public static func googlePay(
        _ handshake: GooglePayHandshake?, accept: [HandoffType], channel: WalletChannel = .inApp,
        origin: ProvisioningOrigin = .app, plan: String? = nil, client: AppSDK? = nil
    ) -> ProvisioningWish {
        var wish = ProvisioningWish(
            wallet: .googlePay, accept: accept, channel: channel, origin: origin, plan: plan, client: client)
        wish.googlePay = handshake
        return wish
    }

    private init(
        wallet: Wallet, accept: [HandoffType], channel: WalletChannel = .inApp, origin: ProvisioningOrigin,
        plan: String?, client: AppSDK?
    ) {
        self.wallet = wallet
        self.channel = channel
        self.origin = origin
        self.accept = accept
        self.plan = plan
        self.client = client
    }

    enum CodingKeys: String, CodingKey {
        case wallet, channel, origin, accept, plan, client
        case applePay = "apple_pay"
        case googlePay = "google_pay"
    }
}
