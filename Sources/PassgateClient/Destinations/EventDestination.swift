public import PassgateContract

/// Where events are sent. Its secret is never shown.
public struct EventDestination: Codable, Sendable, Concealed {
    /// `event_destination`
    public let object: String
    /// Its id.
    public let id: String
    /// The program.
    public let program: String
    /// Where.
    public let url: String
    /// Whether events are sent.
    public let status: DestinationStatus
    /// `whsec_…`, in the answer that made it, and never again.
    public let secret: String?
    /// Until when the secret before it signs too.
    public let formerSecretUntil: Moment?
    /// When it was made.
    public let createdAt: Moment
    /// When it last changed.
    public let updatedAt: Moment
    /// What became of its deliveries, the latest first; where one destination was read.
    public let deliveries: Page<EventDelivery>?

    enum CodingKeys: String, CodingKey {
        case object, id, program, url, status, secret, deliveries
        case formerSecretUntil = "former_secret_until"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
