import type { Moment } from "./cards.js";
import type { HandoffType } from "./words.js";

/** An encrypted pass for `PKAddPaymentPassRequest`, in base64. It has one of the two keys. */
export interface ApplePayPass {
  type: "apple_pay_pass";
  activation_data: string;
  encrypted_pass_data: string;
  ephemeral_public_key?: string;
  wrapped_key?: string;
  encryption_version: string | null;
}

/** Opaque payment cards for Google's push provisioning. In app the constants are numbers, on the web names. */
export interface GooglePayOpaqueCard {
  type: "google_pay_opaque_card";
  token_card: string | null;
  account_card: string | null;
  network: number | string | null;
  token_service_provider: number | string | null;
  last4: string;
  display_name: string;
}

/** An ephemeral key for Stripe's mobile SDK. */
export interface StripeEphemeralKey {
  type: "stripe_ephemeral_key";
  ephemeral_key: Record<string, unknown>;
  api_version: string;
  provider_card_id: string;
  expires_at: Moment | null;
}

/** What Checkout.com's mobile SDK needs. */
export interface D1Authorization {
  type: "d1_authorization";
  jwt: string;
  expires_at: Moment;
  provider_card_id: string;
  cardholder_id: string;
  issuer_id: string;
  service_url: string;
  digital_card_url: string;
  service_rsa_modulus: string;
  service_rsa_exponent: string;
}

/** What the Thales TPC SDK needs. */
export interface TPCAuthorization {
  type: "tpc_authorization";
  encrypted_payload: string;
  authorization_code: string;
  expires_at: Moment;
  scheme: string;
  primary_account_suffix: string;
  cardholder_name: string;
  product_id: string | null;
  primary_account_identifier: string | null;
}

/** What an app needs to finish adding the card, by its `type`. A secret, seen once. */
export type Handoff =
  | ApplePayPass | GooglePayOpaqueCard | StripeEphemeralKey | D1Authorization | TPCAuthorization;

/** One that this build does not know. It does not come to an app that sends `accept`. */
export interface UnknownHandoff {
  type: "unknown";
  word: string;
}

type Kind = "text" | "text?" | "constant?" | "object";
const members: Record<Handoff["type"], Record<string, Kind>> = {
  apple_pay_pass: {
    activation_data: "text", encrypted_pass_data: "text", ephemeral_public_key: "text?", wrapped_key: "text?",
    encryption_version: "text?",
  },
  google_pay_opaque_card: {
    token_card: "text?", account_card: "text?", network: "constant?", token_service_provider: "constant?",
    last4: "text", display_name: "text",
  },
  stripe_ephemeral_key: {
    ephemeral_key: "object", api_version: "text", provider_card_id: "text", expires_at: "text?",
  },
  d1_authorization: {
    jwt: "text", expires_at: "text", provider_card_id: "text", cardholder_id: "text", issuer_id: "text",
    service_url: "text", digital_card_url: "text", service_rsa_modulus: "text", service_rsa_exponent: "text",
  },
  tpc_authorization: {
    encrypted_payload: "text", authorization_code: "text", expires_at: "text", scheme: "text",
    primary_account_suffix: "text", cardholder_name: "text", product_id: "text?", primary_account_identifier: "text?",
  },
};

/**
 * Reads a handoff, for apps in JavaScript: a backend passes `HandoffPayload.json` on and looks no further.
 *
 * @throws TypeError where it is none, or lacks a member. It quotes nothing of the text.
 */
export function decodeHandoff(json: string): Handoff | UnknownHandoff {
  const value = parse(json);
  const type = value?.["type"];
  if (value === undefined || typeof type !== "string") throw new TypeError("this is no handoff");
  if (!isKnown(type)) return { type: "unknown", word: type };
  for (const [name, kind] of Object.entries(members[type])) {
    if (!fits(value[name], kind)) throw new TypeError(`the handoff's ${name} is missing, or of another form`);
  }
  if (type === "apple_pay_pass" && (value["ephemeral_public_key"] == null) === (value["wrapped_key"] == null)) {
    throw new TypeError("the handoff needs exactly one of ephemeral_public_key and wrapped_key");
  }
  return value as unknown as Handoff;
}

function isKnown(type: string): type is Handoff["type"] {
  return Object.hasOwn(members, type);
}

function fits(value: unknown, kind: Kind): boolean {
  if (kind.endsWith("?") && value == null) return true;
  if (kind === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === "string" || (kind === "constant?" && Number.isInteger(value));
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What the app needs, exactly as the gateway sent it: numbers and spacing included, which parsing would not keep. Put
 * `json` into the answer to the app as text. It is never shown: printing it, or `JSON.stringify`, gives a placeholder.
 */
export class HandoffPayload {
  readonly #json: string;
  /** The kind of handoff, which may be logged. */
  readonly type: HandoffType;

  private constructor(json: string, type: HandoffType) {
    this.#json = json;
    this.type = type;
  }

  /** The JSON object. */
  get json(): string {
    return this.#json;
  }

  toString(): string {
    return "<handoff: not shown>";
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }

  /** Cuts the handoff out of a provisioning's answer, which JSON.parse has taken; undefined where there is none. */
  static in(answer: string): HandoffPayload | undefined {
    const json = rawMember("handoff", answer);
    const type = json === undefined ? undefined : parse(json)?.["type"];
    return json !== undefined && typeof type === "string" ? new HandoffPayload(json, type) : undefined;
  }
}

/** A text, or a part of JSON without texts in it. */
const piece = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^"{}[\],:\s]+/gs;

/** The text of a member of a valid JSON object. */
function rawMember(name: string, object: string): string | undefined {
  let depth = 0;
  let start: number | undefined;
  let isKey = false;
  let previous = "";
  let end = 0;
  for (const match of object.matchAll(piece)) {
    const text = match[0] ?? "";
    if (start !== undefined && depth === 1 && (text === "," || text === "}")) return object.slice(start, end);
    if (text === "{" || text === "[") depth += 1;
    if (text === "}" || text === "]") depth -= 1;
    if (depth === 1 && text === ":") isKey = previous === `"${name}"`;
    else if (isKey) {
      start = match.index ?? 0;
      isKey = false;
    }
    previous = text;
    end = (match.index ?? 0) + text.length;
  }
  return undefined;
}
