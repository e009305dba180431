import assert from "node:assert/strict";
import test from "node:test";
import { inspect } from "node:util";
import { Passgate, PassgateNoAnswer, PassgateProblem, standardPolicy } from "../src/index.js";

type Step = { status: number; body: string } | "lost";

/** A gateway that answers with a script. */
function scripted(steps: Step[], options: object = {}) {
  const calls: { url: string; method: string; headers: Record<string, string>; body: unknown }[] = [];
  const naps: number[] = [];
  const passgate = new Passgate({
    url: "https://gate.example/", apiKey: "pgk_CANARY", program: "rides",
    fetch: async (url, init) => {
      calls.push({
        url: String(url), method: init?.method ?? "", headers: (init?.headers ?? {}) as Record<string, string>, body: init?.body,
      });
      const step = steps.shift() ?? "lost";
      if (step === "lost") throw new TypeError("CANARY");
      return new Response(step.status === 204 ? null : step.body, { status: step.status });
    },
    sleep: async (time) => { naps.push(time); },
    ...options,
  });
  return { passgate, calls, naps };
}

const problem = (code: string, retry: string, retry_after: number | null = null, status = 503): Step => ({
  status,
  body: JSON.stringify({ type: "t", title: "T", status, detail: "d", code, retry, retry_after, outcome: null, request_id: "req_1" }),
});
const made: Step = { status: 201, body: '{"object":"provisioning","id":"prov_1","handoff":{"type":"apple_pay_pass", "x":1.0}}' };
const wish = { wallet: "apple_pay", accept: ["apple_pay_pass"] };

test("a repeat keeps its key and body", async () => {
  const { passgate, calls, naps } = scripted([
    problem("provider_timeout", "same_request", null, 504), problem("provider_unavailable", "after_delay", 2), made,
  ]);
  const { record, handoff } = await passgate.provision("c", wish);
  assert.equal(record.id, "prov_1");
  assert.equal(handoff.json, '{"type":"apple_pay_pass", "x":1.0}');
  assert.ok(!("handoff" in record));
  assert.equal(new Set(calls.map((call) => call.headers["Idempotency-Key"])).size, 1);
  assert.ok(calls[0]?.headers["Idempotency-Key"]);
  assert.equal(new Set(calls.map((call) => call.body)).size, 1);
  assert.ok(naps.length === 2 && naps[0]! >= 100 && naps[0]! <= 200 && naps[1] === 2000);
  for (const call of calls) assert.ok(Number(call.headers["Passgate-Deadline"]) <= 19_750);
});

test("the other classes are the caller's", async () => {
  for (const retry of ["fix_request", "fresh_handshake", "check_wallet_first", "treat_as_success", "never", "of_tomorrow"]) {
    const { passgate, calls } = scripted([problem("provider_timeout", retry, null, 504), made]);
    await assert.rejects(passgate.provision("c", wish), (error: unknown) =>
      error instanceof PassgateProblem && error.retry === retry && error.code === "provider_timeout");
    assert.equal(calls.length, 1);
  }
});

test("what asks for too much time is told, and there is an end to it", async () => {
  const long = scripted([problem("overloaded", "after_delay", 6), made]);
  await assert.rejects(long.passgate.card("c"), PassgateProblem);
  const short = scripted([problem("overloaded", "after_delay", 3), made]);
  await assert.rejects(short.passgate.card("c", { deadline: 3000 }), PassgateProblem);
  assert.equal(long.calls.length + short.calls.length, 2);
  const endless = scripted(Array.from({ length: 9 }, () => problem("overloaded", "after_delay", 0)));
  await assert.rejects(endless.passgate.card("c"), PassgateProblem);
  assert.equal(endless.calls.length, 3);
});

test("a lost answer is asked for again, unless that is unwanted", async () => {
  const steps: Step[] = ["lost", { status: 502, body: "<html>" }, made];
  const { passgate, calls } = scripted([...steps]);
  await passgate.provision("c", wish);
  assert.equal(calls.length, 3);
  const still = scripted([...steps], { retryPolicy: { ...standardPolicy, repeatsLostAnswers: false } });
  await assert.rejects(still.passgate.provision("c", wish), (error: unknown) =>
    error instanceof PassgateNoAnswer && !inspect(error).includes("CANARY"));
  assert.equal(still.calls.length, 1);
});

test("what is not the gateway's is not taken for its", async () => {
  for (const [status, body] of [[302, ""], [404, "<html>"], [400, '{"code":"x"}'], [201, "{}"], [201, "no JSON"]] as const) {
    const { passgate, calls } = scripted([{ status, body }, made]);
    await assert.rejects(passgate.provision("c", wish), (error: unknown) =>
      error instanceof PassgateNoAnswer && error.status === status);
    assert.equal(calls.length, 1);
  }
});

test("every call says who asks and for what", async () => {
  const { passgate, calls } = scripted([made, { status: 204, body: "" }, { status: 200, body: "{}" }, { status: 200, body: "{}" }]);
  await passgate.provision("c", wish, { program: "other", idempotencyKey: "mine", traceparent: "00-1-2-01" });
  await passgate.eraseCard("a/../b?c");
  await passgate.cards({ cardholder: "a&b=ü", limit: 5 });
  await passgate.importCards([{ id: "a" }, { id: "b" }]);
  const [first, erase, list, lines] = calls;
  assert.equal(first?.url, "https://gate.example/v1/cards/c/provisionings");
  assert.equal(first?.headers["Authorization"], "Bearer pgk_CANARY");
  assert.equal(first?.headers["Passgate-Program"], "other");
  assert.equal(first?.headers["Idempotency-Key"], "mine");
  assert.equal(first?.headers["traceparent"], "00-1-2-01");
  assert.equal(erase?.url, "https://gate.example/v1/cards/a%2F..%2Fb%3Fc");
  assert.equal(erase?.headers["Passgate-Program"], "rides");
  assert.equal(list?.url, "https://gate.example/v1/cards?cardholder=a%26b%3D%C3%BC&limit=5");
  assert.equal(lines?.headers["Content-Type"], "application/x-ndjson");
  assert.equal(lines?.body, '{"id":"a"}\n{"id":"b"}\n');
  assert.ok(!lines?.headers["Idempotency-Key"]);
  assert.ok(!inspect(passgate, { showHidden: true, depth: 5 }).includes("CANARY"));
  for (const id of ["", ".", ".."]) await assert.rejects(passgate.card(id), TypeError);
  assert.equal(calls.length, 4);
});
