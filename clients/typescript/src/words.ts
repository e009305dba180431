/** Words that a newer gateway may extend: one that is not known is kept as it came, and is no error. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** The kinds of handoff. */
export const handoffTypes = [
  "apple_pay_pass", "google_pay_opaque_card", "stripe_ephemeral_key", "d1_authorization",
  "tpc_authorization",
] as const;
export type HandoffType = Open<(typeof handoffTypes)[number]>;

/** The wallet that a card is added to. `samsung_pay` is a token's wallet only. */
export const wallets = [
  "apple_pay", "google_pay", "samsung_pay",
] as const;
export type Wallet = Open<(typeof wallets)[number]>;

/** Where the cardholder taps the button. */
export const walletChannels = [
  "in_app", "web",
] as const;
export type WalletChannel = Open<(typeof walletChannels)[number]>;

/** What began the provisioning on the device. */
export const provisioningOrigins = [
  "app", "wallet_extension", "web",
] as const;
export type ProvisioningOrigin = Open<(typeof provisioningOrigins)[number]>;

/** What PassKit says of the card's pass on one device. */
export const passStates = [
  "absent", "activated", "requires_activation", "activating", "suspended", "deactivated",
] as const;
export type PassState = Open<(typeof passStates)[number]>;

/** What a tap on the app's wallet button does. Show no button for one that the app does not know. */
export const buttonActions = [
  "add", "add_to_watch", "activate", "resume_verification", "none",
] as const;
export type ButtonAction = Open<(typeof buttonActions)[number]>;

/** What to do next after a problem. The client acts on the first two; the others are the caller's to act on. */
export const retryClasses = [
  "same_request", "after_delay", "fix_request", "fresh_handshake", "check_wallet_first", "treat_as_success",
  "never",
] as const;
export type RetryClass = Open<(typeof retryClasses)[number]>;

/** What is known about the effect of a failed provisioning at the processor. */
export const problemOutcomes = [
  "not_sent", "refused", "unknown", "applied",
] as const;
export type ProblemOutcome = Open<(typeof problemOutcomes)[number]>;

/** The stable codes of problems. Each has a page at the gateway's `/errors/{code}`. */
export const problemCodes = [
  "invalid_request", "malformed_json", "handshake_invalid", "ambiguous_encoding", "client_version_required",
  "program_required", "signature_invalid", "wallet_unsupported", "channel_unsupported",
  "operation_unsupported", "handshake_rejected", "handshake_reused", "handoff_already_delivered",
  "unauthenticated", "permission_denied", "authentication_required", "program_not_enabled",
  "route_not_found", "card_not_found", "provisioning_not_found", "token_not_found", "event_not_found",
  "destination_not_found", "migration_not_found", "connection_not_found", "program_not_found",
  "method_not_allowed", "payload_too_large", "unsupported_media_type", "headers_too_large",
  "binding_missing", "binding_conflict", "migration_conflict", "migration_would_strand_cards",
  "token_transition_invalid", "handoff_unsupported_by_app", "plan_expired", "already_provisioned",
  "idempotency_key_in_use", "idempotency_key_reused", "card_ineligible", "device_ineligible",
  "provider_rejected", "provider_card_not_found", "rate_limited", "overloaded", "provider_unavailable",
  "provider_rate_limited", "provider_timeout", "provider_unauthorized", "provider_contract_violation",
  "internal_error",
] as const;
export type ProblemCode = Open<(typeof problemCodes)[number]>;

/** What a binding is used for. */
export const bindingStates = [
  "active", "standby", "retired",
] as const;
export type BindingState = Open<(typeof bindingStates)[number]>;

/** How far an attempt has come. */
export const provisioningStatuses = [
  "sending", "refused", "unknown", "undelivered", "handed_off", "added", "requested",
  "verification_required", "active", "declined", "failed", "cancelled", "abandoned",
] as const;
export type ProvisioningStatus = Open<(typeof provisioningStatuses)[number]>;

/** What a token can do. */
export const tokenStatuses = [
  "requested", "verification_required", "active", "suspended", "deleted", "declined", "unknown",
] as const;
export type TokenStatus = Open<(typeof tokenStatuses)[number]>;

/** What a migration does with its cohort. */
export const migrationModes = [
  "shadow", "live",
] as const;
export type MigrationMode = Open<(typeof migrationModes)[number]>;

/** How a migration stands. */
export const migrationStatuses = [
  "open", "paused", "rolled_back", "completed",
] as const;
export type MigrationStatus = Open<(typeof migrationStatuses)[number]>;
