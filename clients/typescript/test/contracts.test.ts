import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { inspect } from "node:util";
import {
  decodeHandoff, HandoffPayload, handoffTypes, PassgateProblem, problemCodes, problemOutcomes, receiveWebhook, retryClasses,
  WebhookRefusal,
} from "../src/index.js";

const folder = new URL("../../../../Contracts/", import.meta.url);
const text = (path: string) => new TextDecoder().decode(readFileSync(new URL(path, folder)));
const json = (path: string) => JSON.parse(text(path));
const known = (words: readonly string[], word: string | null) => word === null || words.includes(word);

test("every code is known", () => {
  assert.deepEqual(json("errors.json").errors.map((entry: { code: string }) => entry.code), [...problemCodes]);
});

test("every golden envelope is read", () => {
  const names = readdirSync(new URL("golden/", folder));
  assert.deepEqual(names.sort(), problemCodes.map((code) => `${code}.json`).sort());
  for (const name of names) {
    for (const body of Object.values(json(`golden/${name}`)) as { status: number }[]) {
      const problem = PassgateProblem.read(JSON.stringify(body), body.status);
      assert.ok(problem, name);
      assert.deepEqual(problem.body, body);
      assert.equal(`${problem.code}.json`, name);
      assert.ok(known(retryClasses, problem.retry) && known(problemOutcomes, problem.outcome));
    }
  }
});

test("every handoff is decoded, and passed on byte for byte", () => {
  const names = readdirSync(new URL("handoffs/", folder));
  assert.deepEqual(new Set(names.map((name) => name.split(".")[0])), new Set(handoffTypes));
  for (const name of names) {
    const raw = text(`handoffs/${name}`).trimEnd();
    assert.deepEqual(decodeHandoff(raw), JSON.parse(raw));
    const payload = HandoffPayload.in(`{"id":"p","note":"\\"handoff\\":1","x":["handoff"], "handoff" : ${raw} ,"repairs":[]}`);
    assert.equal(payload?.json, raw);
    assert.ok(payload && name.startsWith(payload.type));
    const secret = raw.slice(40, 60);
    for (const shown of [`${payload}`, JSON.stringify({ payload }), inspect(payload, { showHidden: true })]) {
      assert.ok(shown.includes("not shown") && !shown.includes(secret), shown);
    }
  }
});

test("a handoff that lacks a member is refused, by the member's name alone", () => {
  const optional = /^(type|encryption_version|token_card|account_card|network|token_service_provider|product_id|primary_account_identifier)$/;
  for (const name of readdirSync(new URL("handoffs/", folder))) {
    const whole = json(`handoffs/${name}`);
    for (const member of Object.keys(whole)) {
      if (optional.test(member) || (name.startsWith("stripe") && member === "expires_at")) continue;
      const { [member]: taken, ...rest } = whole;
      for (const spoilt of [rest, { ...rest, [member]: [taken] }, { ...rest, [member]: 7 }]) {
        assert.throws(() => decodeHandoff(JSON.stringify(spoilt)), (error: Error) =>
          error instanceof TypeError && !error.message.includes(String(taken).slice(0, 12)), `${name} ${member}`);
      }
    }
  }
  for (const odd of ["", "null", "[]", "{}", '{"type":1}', "{"]) assert.throws(() => decodeHandoff(odd), TypeError);
  assert.deepEqual(decodeHandoff('{"type":"hologram"}'), { type: "unknown", word: "hologram" });
  assert.deepEqual(decodeHandoff('{"type":"constructor"}'), { type: "unknown", word: "constructor" });
});

interface Vector {
  name: string;
  secrets: string[];
  timestamp: number;
  body: string;
  headers: Record<string, string>;
}

test("webhooks are verified as the Standard Webhooks library signs them", async () => {
  const vectors: Vector[] = json("Webhooks/vendor/webhook_vectors.json");
  assert.ok(vectors.length > 3);
  for (const vector of vectors) {
    const body = Uint8Array.from(atob(vector.body), (letter) => letter.charCodeAt(0));
    const isEvent = new TextDecoder().decode(body).includes('"object":"event"');
    const receive = async (
      changes: { body?: Uint8Array; secrets?: string[]; after?: number; headers?: Record<string, string | undefined> } = {},
    ) => {
      const headers: Record<string, string | undefined> = { ...vector.headers, ...changes.headers };
      try {
        return (await receiveWebhook(changes.body ?? body, (name) => headers[name], {
          secrets: changes.secrets ?? vector.secrets, now: () => (vector.timestamp + (changes.after ?? 0)) * 1000,
        })).object;
      } catch (error) {
        assert.ok(error instanceof WebhookRefusal);
        return error.reason;
      }
    };
    for (const secrets of [vector.secrets, ...vector.secrets.map((secret) => [secret])]) {
      assert.equal(await receive({ secrets, after: 299 }), isEvent ? "event" : "unreadable", vector.name);
    }
    assert.equal(await receive({ body: new Uint8Array([...body, 32]) }), "forged");
    assert.equal(await receive({ secrets: ["whsec_AAAA"] }), "forged");
    assert.equal(await receive({ secrets: ["AAAA"] }), "unusable_secret");
    assert.equal(await receive({ secrets: [] }), "unusable_secret");
    assert.equal(await receive({ after: 301 }), "out_of_time");
    assert.equal(await receive({ after: -301 }), "out_of_time");
    assert.equal(await receive({ headers: { "webhook-id": "evt_2" } }), "forged");
    for (const name of Object.keys(vector.headers)) {
      assert.equal(await receive({ headers: { [name]: undefined } }), "unsigned");
    }
    for (const odd of ["v1,", "v1", "v2,AAAA", "v1,%%%", "v1a,AAAA"]) {
      assert.equal(await receive({ headers: { "webhook-signature": odd } }), "forged", odd);
    }
  }
});

test("the golden event is an event", async () => {
  const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  const body = readFileSync(new URL("Webhooks/event.json", folder));
  const raw = Uint8Array.from(atob(secret.slice(6)), (letter) => letter.charCodeAt(0));
  const key = await webcrypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signed = new Uint8Array([...new TextEncoder().encode("evt_1golden.1000."), ...body]);
  const code = btoa(String.fromCharCode(...new Uint8Array(await webcrypto.subtle.sign("HMAC", key, signed))));
  const headers: Record<string, string> = {
    "webhook-id": "evt_1golden", "webhook-timestamp": "1000", "webhook-signature": `v1,AAAA v1,${code}`,
  };
  const event = await receiveWebhook(body, (name) => headers[name], { secrets: [secret], now: () => 1_000_000 });
  assert.equal(event.type, "token.suspended");
  assert.equal(event.sequence, 7);
  assert.equal(event.data["previous_status"], null);
});

test("a cohort's bucket is the gateway's", async () => {
  for (const vector of json("cohort-buckets.json").vectors) {
    const bytes = new TextEncoder().encode(`${vector.migration}\0${vector.cardholder}`);
    const digest = new DataView(await webcrypto.subtle.digest("SHA-256", bytes));
    assert.equal(Number(digest.getBigUint64(0) % 10_000n), vector.bucket);
  }
});
