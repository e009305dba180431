import { webcrypto } from "node:crypto";
import type { PassgateEvent } from "./events.js";

/** Why a delivery is not taken. Answer 401 but to `unreadable`. */
export class WebhookRefusal extends Error {
  override readonly name = "WebhookRefusal";

  constructor(readonly reason: "unsigned" | "out_of_time" | "forged" | "unreadable" | "unusable_secret") {
    super(`the delivery is not taken: ${reason}`);
  }
}

export interface WebhookOptions {
  /** The destination's secrets, `whsec_…`: while one replaces another, both. */
  secrets: string[];
  /** By how many seconds a delivery's time may differ from ours; 300 unless told. */
  tolerance?: number;
  /** The time in milliseconds. */
  now?: () => number;
}

/**
 * Verifies an event that a gateway sent to a destination, by Standard Webhooks 1.0, and reads it. A destination gets an
 * event at least once: keep its `id` to tell a second one. Answer 2xx within 15 seconds, and do the work after.
 *
 * @param body The bytes as they came, or their text. Not what a framework parsed.
 * @param header Looks a header field up by its name in lower case.
 * @throws WebhookRefusal
 */
export async function receiveWebhook(
  body: Uint8Array | string, header: (name: string) => string | null | undefined, options: WebhookOptions,
): Promise<PassgateEvent> {
  const [id, time, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header);
  if (!id || !time || !signatures || !/^\d{1,15}$/.test(time)) throw new WebhookRefusal("unsigned");
  const now = (options.now ?? Date.now)() / 1000;
  if (Math.abs(now - Number(time)) > (options.tolerance ?? 300)) throw new WebhookRefusal("out_of_time");
  const { subtle } = webcrypto;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${time}.`);
  const message = new Uint8Array(head.length + bytes.length);
  message.set(head);
  message.set(bytes, head.length);
  const codes = signatures.split(" ").filter((text) => text.startsWith("v1,")).map((text) => decode(text.slice(3)));
  if (options.secrets.length === 0) throw new WebhookRefusal("unusable_secret");
  for (const secret of options.secrets) {
    const raw = secret.startsWith("whsec_") ? decode(secret.slice(6)) : undefined;
    if (!raw?.length) throw new WebhookRefusal("unusable_secret");
    const key = await subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const code of codes) {
      // WebCrypto compares in constant time.
      if (code && (await subtle.verify("HMAC", key, code, message))) return read(bytes);
    }
  }
  throw new WebhookRefusal("forged");
}

function decode(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function read(bytes: Uint8Array): PassgateEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new WebhookRefusal("unreadable");
  }
  if (typeof event !== "object" || event === null || (event as { object?: unknown }).object !== "event") {
    throw new WebhookRefusal("unreadable");
  }
  return event as PassgateEvent;
}
