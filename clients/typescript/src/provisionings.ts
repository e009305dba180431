import type { Moment } from "./cards.js";
import type {
  HandoffType, Open, ProblemCode, ProblemOutcome, ProvisioningOrigin, ProvisioningStatus, RetryClass, Wallet, WalletChannel,
} from "./words.js";
import type { HandoffPayload } from "./handoff.js";

/**
 * What the app asks its backend for when the cardholder taps. It holds a single-use handshake: do not log it, and take
 * these members and no others from what the app sends.
 */
export interface ProvisioningWish {
  wallet: Wallet;
  channel?: WalletChannel;
  origin?: ProvisioningOrigin;
  accept?: HandoffType[];
  plan?: string;
  apple_pay?: { certificates: string[]; nonce: string; nonce_signature: string; encoding?: "base64" | "hex" };
  google_pay?: { wallet_id?: string; device_id?: string; server_session_id?: string };
  client?: { stripe_api_version?: string };
}

/** The body of a provisioning: the app's wish, and what the backend knows for itself. */
export interface ProvisionRequest extends ProvisioningWish {
  cardholder?: { id: string; authentication?: { method: string; authenticated_at: Moment } };
  thales?: { encrypted_payload: string };
}

/** An attempt, as it is recorded. It never holds the handoff. */
export interface ProvisioningRecord {
  object: "provisioning";
  id: string;
  card: string;
  program: string;
  provider: string;
  connection: string;
  wallet: Wallet;
  channel: WalletChannel;
  origin: ProvisioningOrigin;
  status: ProvisioningStatus;
  created_at: Moment;
  expires_at: Moment | null;
  repairs: { pointer: string; repair: string }[];
  warnings: { pointer: string; warning: string }[];
  failure?: {
    code: ProblemCode;
    retry: RetryClass;
    outcome: ProblemOutcome;
    reason: string | null;
    provider_status: number | null;
    provider_code: string | null;
    provider_request_id: string | null;
  };
  settlement?: { by: Open<"device" | "probe" | "webhook" | "time"> | null; at: Moment | null; ambiguous: boolean };
}

/** What a provisioning brought: its record, to be kept, and the handoff, to be passed on at once. */
export interface Provisioned {
  record: ProvisioningRecord;
  handoff: HandoffPayload;
}

/** A step of an attempt. */
export interface TimelineStep {
  at: Moment;
  step: string;
  source: Open<"device" | "gateway" | "provider" | "webhook">;
  code: string | null;
  detail: string | null;
}

/** What the device said of an attempt. */
export interface DeviceOutcome {
  result: "added" | "cancelled" | "failed";
  error?: { domain?: string; code?: string | number; message?: string };
}

/** A wish for a short-lived credential. */
export interface CredentialRequest {
  purpose: "session" | "state" | "activate";
  wallet?: Wallet;
  token?: string;
}

/** A short-lived credential for a vendor's SDK. Its `token` is a secret, and null where the answer is a repeat. */
export interface WalletCredential {
  object: "wallet_credential";
  purpose: Open<CredentialRequest["purpose"]>;
  token: string | null;
  expires_at: Moment;
}
