/// The closed catalogue of what can go wrong. `Contracts/errors.json` holds the same table; a test compares them.
public enum ProblemCode: String, Sendable, CaseIterable, Hashable {
    /// A member of the request is missing, unknown or not of its form.
    case invalidRequest = "invalid_request"
    /// The body is not one JSON object in UTF-8.
    case malformedJSON = "malformed_json"
    /// What the device's wallet gave is not of its form. Nothing was sent; the nonce is not spent.
    case handshakeInvalid = "handshake_invalid"
    /// The value reads as base64 and as hex. Declare the encoding. Nothing was sent.
    case ambiguousEncoding = "ambiguous_encoding"
    /// The handoff needs the API version that the app's SDK asked for.
    case clientVersionRequired = "client_version_required"
    /// The key covers several programs. Name one in the Passgate-Program header.
    case programRequired = "program_required"
    /// The delivery's signature does not fit its bytes.
    case signatureInvalid = "signature_invalid"
    /// The card's processor or program does not serve this wallet.
    case walletUnsupported = "wallet_unsupported"
    /// The card's processor does not serve this wallet on this channel.
    case channelUnsupported = "channel_unsupported"
    /// The card's processor does not offer this operation.
    case operationUnsupported = "operation_unsupported"
    /// The processor did not accept the handshake. Start over on the device.
    case handshakeRejected = "handshake_rejected"
    /// This handshake was used before. Start over on the device.
    case handshakeReused = "handshake_reused"
    /// This request has had its handoff, which is never kept. Start over on the device.
    case handoffAlreadyDelivered = "handoff_already_delivered"
    /// The API key is missing or not known.
    case unauthenticated
    /// The API key does not cover this.
    case permissionDenied = "permission_denied"
    /// The cardholder's authentication is missing or too old. Authenticate the cardholder again.
    case authenticationRequired = "authentication_required"
    /// The processor has not enabled wallets for this program.
    case programNotEnabled = "program_not_enabled"
    /// There is no such route.
    case routeNotFound = "route_not_found"
    /// There is no such card.
    case cardNotFound = "card_not_found"
    /// There is no such provisioning.
    case provisioningNotFound = "provisioning_not_found"
    /// There is no such token.
    case tokenNotFound = "token_not_found"
    /// There is no such event.
    case eventNotFound = "event_not_found"
    /// There is no such event destination.
    case destinationNotFound = "destination_not_found"
    /// There is no such migration.
    case migrationNotFound = "migration_not_found"
    /// There is no such connection.
    case connectionNotFound = "connection_not_found"
    /// There is no such program.
    case programNotFound = "program_not_found"
    /// The route does not take this method.
    case methodNotAllowed = "method_not_allowed"
    /// The body is larger than the limit.
    case payloadTooLarge = "payload_too_large"
    /// The body's media type is not what the route takes.
    case unsupportedMediaType = "unsupported_media_type"
    /// The headers are larger than the limit.
    case headersTooLarge = "headers_too_large"
    /// The card has no active binding.
    case bindingMissing = "binding_missing"
    /// The binding differs from what the card has, or its provider card is bound already.
    case bindingConflict = "binding_conflict"
    /// The migration's state does not allow this step.
    case migrationConflict = "migration_conflict"
    /// Some cards of the cohort could not be served at the other side.
    case migrationWouldStrandCards = "migration_would_strand_cards"
    /// The token's state does not allow this change.
    case tokenTransitionInvalid = "token_transition_invalid"
    /// The app build does not know the handoff that this card needs.
    case handoffUnsupportedByApp = "handoff_unsupported_by_app"
    /// The plan is too old. Ask for the card's wallets again.
    case planExpired = "plan_expired"
    /// The card is in this wallet already.
    case alreadyProvisioned = "already_provisioned"
    /// A request with this key is still running.
    case idempotencyKeyInUse = "idempotency_key_in_use"
    /// This key was used with another request.
    case idempotencyKeyReused = "idempotency_key_reused"
    /// The processor does not allow this card in the wallet.
    case cardIneligible = "card_ineligible"
    /// The processor does not allow this device.
    case deviceIneligible = "device_ineligible"
    /// The processor refused the request.
    case providerRejected = "provider_rejected"
    /// The processor does not know this card.
    case providerCardNotFound = "provider_card_not_found"
    /// Too many requests. Wait and try again.
    case rateLimited = "rate_limited"
    /// The gateway is at its limit. Nothing was sent.
    case overloaded
    /// The processor could not be reached or failed.
    case providerUnavailable = "provider_unavailable"
    /// The processor limits the rate of requests.
    case providerRateLimited = "provider_rate_limited"
    /// The processor did not answer in time.
    case providerTimeout = "provider_timeout"
    /// The processor does not accept the connection's credentials.
    case providerUnauthorized = "provider_unauthorized"
    /// The processor's answer is not what its contract says.
    case providerContractViolation = "provider_contract_violation"
    /// The gateway failed.
    case internalError = "internal_error"
}
