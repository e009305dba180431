public import PassgateContract

/// The stable codes of problems. Each has a page at the gateway's `/errors/{code}`.
public enum ProblemCode: OpenWord {
    /// A member of the request is missing, unknown or not of its form.
    case invalidRequest
    /// The body is not one JSON object in UTF-8.
    case malformedJSON
    /// What the device's wallet gave is not of its form.
    case handshakeInvalid
    /// The value reads as base64 and as hex.
    case ambiguousEncoding
    /// The handoff needs the API version that the app's SDK asked for.
    case clientVersionRequired
    /// The key covers several programs.
    case programRequired
    /// The delivery's signature does not fit its bytes.
    case signatureInvalid
    /// The card's processor or program does not serve this wallet.
    case walletUnsupported
    /// The card's processor does not serve this wallet on this channel.
    case channelUnsupported
    /// The card's processor does not offer this operation.
    case operationUnsupported
    /// The processor did not accept the handshake.
    case handshakeRejected
    /// This handshake was used before.
    case handshakeReused
    /// This request has had its handoff, which is never kept.
    case handoffAlreadyDelivered
    /// The API key is missing or not known.
    case unauthenticated
    /// The API key does not cover this.
    case permissionDenied
    /// The cardholder's authentication is missing or too old.
    case authenticationRequired
    /// The processor has not enabled wallets for this program.
    case programNotEnabled
    /// There is no such route.
    case routeNotFound
    /// There is no such card.
    case cardNotFound
    /// There is no such provisioning.
    case provisioningNotFound
    /// There is no such token.
    case tokenNotFound
    /// There is no such event.
    case eventNotFound
    /// There is no such event destination.
    case destinationNotFound
    /// There is no such migration.
    case migrationNotFound
    /// There is no such connection.
    case connectionNotFound
    /// There is no such program.
    case programNotFound
    /// The route does not take this method.
    case methodNotAllowed
    /// The body is larger than the limit.
    case payloadTooLarge
    /// The body's media type is not what the route takes.
    case unsupportedMediaType
    /// The headers are larger than the limit.
    case headersTooLarge
    /// The card has no active binding.
    case bindingMissing
    /// The binding differs from what the card has, or its provider card is bound already.
    case bindingConflict
    /// The migration's state does not allow this step.
    case migrationConflict
    /// Some cards of the cohort could not be served at the other side.
    case migrationWouldStrandCards
    /// The token's state does not allow this change.
    case tokenTransitionInvalid
    /// The app build does not know the handoff that this card needs.
    case handoffUnsupportedByApp
    /// The plan is too old.
    case planExpired
    /// The card is in this wallet already.
    case alreadyProvisioned
    /// A request with this key is still running.
    case idempotencyKeyInUse
    /// This key was used with another request.
    case idempotencyKeyReused
    /// The processor does not allow this card in the wallet.
    case cardIneligible
    /// The processor does not allow this device.
    case deviceIneligible
    /// The processor refused the request.
    case providerRejected
    /// The processor does not know this card.
    case providerCardNotFound
    /// Too many requests.
    case rateLimited
    /// The gateway is at its limit.
    case overloaded
    /// The processor could not be reached or failed.
    case providerUnavailable
    /// The processor limits the rate of requests.
    case providerRateLimited
    /// The processor did not answer in time.
    case providerTimeout
    /// The processor does not accept the connection's credentials.
    case providerUnauthorized
    /// The processor's answer is not what its contract says.
    case providerContractViolation
    /// The gateway failed.
    case internalError
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [ProblemCode] = [
        .invalidRequest,
        .malformedJSON,
        .handshakeInvalid,
        .ambiguousEncoding,
        .clientVersionRequired,
        .programRequired,
        .signatureInvalid,
        .walletUnsupported,
        .channelUnsupported,
        .operationUnsupported,
        .handshakeRejected,
        .handshakeReused,
        .handoffAlreadyDelivered,
        .unauthenticated,
        .permissionDenied,
        .authenticationRequired,
        .programNotEnabled,
        .routeNotFound,
        .cardNotFound,
        .provisioningNotFound,
        .tokenNotFound,
        .eventNotFound,
        .destinationNotFound,
        .migrationNotFound,
        .connectionNotFound,
        .programNotFound,
        .methodNotAllowed,
        .payloadTooLarge,
        .unsupportedMediaType,
        .headersTooLarge,
        .bindingMissing,
        .bindingConflict,
        .migrationConflict,
        .migrationWouldStrandCards,
        .tokenTransitionInvalid,
        .handoffUnsupportedByApp,
        .planExpired,
        .alreadyProvisioned,
        .idempotencyKeyInUse,
        .idempotencyKeyReused,
        .cardIneligible,
        .deviceIneligible,
        .providerRejected,
        .providerCardNotFound,
        .rateLimited,
        .overloaded,
        .providerUnavailable,
        .providerRateLimited,
        .providerTimeout,
        .providerUnauthorized,
        .providerContractViolation,
        .internalError,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .invalidRequest: "invalid_request"
        case .malformedJSON: "malformed_json"
        case .handshakeInvalid: "handshake_invalid"
        case .ambiguousEncoding: "ambiguous_encoding"
        case .clientVersionRequired: "client_version_required"
        case .programRequired: "program_required"
        case .signatureInvalid: "signature_invalid"
        case .walletUnsupported: "wallet_unsupported"
        case .channelUnsupported: "channel_unsupported"
        case .operationUnsupported: "operation_unsupported"
        case .handshakeRejected: "handshake_rejected"
        case .handshakeReused: "handshake_reused"
        case .handoffAlreadyDelivered: "handoff_already_delivered"
        case .unauthenticated: "unauthenticated"
        case .permissionDenied: "permission_denied"
        case .authenticationRequired: "authentication_required"
        case .programNotEnabled: "program_not_enabled"
        case .routeNotFound: "route_not_found"
        case .cardNotFound: "card_not_found"
        case .provisioningNotFound: "provisioning_not_found"
        case .tokenNotFound: "token_not_found"
        case .eventNotFound: "event_not_found"
        case .destinationNotFound: "destination_not_found"
        case .migrationNotFound: "migration_not_found"
        case .connectionNotFound: "connection_not_found"
        case .programNotFound: "program_not_found"
        case .methodNotAllowed: "method_not_allowed"
        case .payloadTooLarge: "payload_too_large"
        case .unsupportedMediaType: "unsupported_media_type"
        case .headersTooLarge: "headers_too_large"
        case .bindingMissing: "binding_missing"
        case .bindingConflict: "binding_conflict"
        case .migrationConflict: "migration_conflict"
        case .migrationWouldStrandCards: "migration_would_strand_cards"
        case .tokenTransitionInvalid: "token_transition_invalid"
        case .handoffUnsupportedByApp: "handoff_unsupported_by_app"
        case .planExpired: "plan_expired"
        case .alreadyProvisioned: "already_provisioned"
        case .idempotencyKeyInUse: "idempotency_key_in_use"
        case .idempotencyKeyReused: "idempotency_key_reused"
        case .cardIneligible: "card_ineligible"
        case .deviceIneligible: "device_ineligible"
        case .providerRejected: "provider_rejected"
        case .providerCardNotFound: "provider_card_not_found"
        case .rateLimited: "rate_limited"
        case .overloaded: "overloaded"
        case .providerUnavailable: "provider_unavailable"
        case .providerRateLimited: "provider_rate_limited"
        case .providerTimeout: "provider_timeout"
        case .providerUnauthorized: "provider_unauthorized"
        case .providerContractViolation: "provider_contract_violation"
        case .internalError: "internal_error"
        case .other(let word): word
        }
    }
}
