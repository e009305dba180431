// Run by `make clients` against a gateway with the sandbox's Increase behind it: live.js URL API_KEY CONNECTION PROGRAM
import assert from "node:assert/strict";
import { addToGooglePay } from "../example.js";
import { decodeHandoff, Passgate, PassgateProblem, problemCodes } from "../src/index.js";

const [url = "", apiKey = "", connection = "", program = ""] = process.argv.slice(2);
const passgate = new Passgate({ url, apiKey });

assert.equal((await passgate.health()).status, "ok");
assert.equal((await passgate.readiness()).status, "ready");
assert.ok((await passgate.capabilities()).some((row) => row.provider === "increase"));
for (const code of problemCodes) assert.equal((await passgate.problemPage(code)).code, code);

const card = await passgate.putCard("card_ts", {
  binding: { connection, provider_card_id: "sandbox_card_ok", last4: "1881", network: "visa" },
  cardholder: { id: "user_ts", name: "Ada Lovelace" }, metadata: { tier: "gold", years: 3 },
});
assert.equal(card.serving, connection);
assert.deepEqual(await passgate.card("card_ts"), card);
assert.deepEqual((await passgate.cards({ cardholder: "user_ts", limit: 1 })).data, [card]);
const report = await passgate.importCards([{ id: "card_ts", title: "Rides" }, { id: "no/id" }]);
assert.deepEqual([report.updated, report.failed, report.errors[0]?.code], [1, 1, "invalid_request"]);

assert.equal((await passgate.wallets("card_ts", { accept: ["google_pay_opaque_card"], wallet: "google_pay" }))[0]?.eligible, true);
assert.equal((await passgate.cardholderWallets("user_ts")).length, 2);
const button = await passgate.walletButton("card_ts", { wallet: "google_pay", device: { tokens: [] } });
assert.deepEqual([button.show, button.action, button.target], [true, "add", "phone"]);

const answer = await addToGooglePay(passgate, "card_ts", "user_ts", { wallet_id: "wallet-1", device_id: "device-1" });
assert.equal(answer.status, 200, answer.body);
const { attempt, handoff } = JSON.parse(answer.body);
assert.equal(decodeHandoff(JSON.stringify(handoff)).type, "google_pay_opaque_card");
assert.equal((await addToGooglePay(passgate, "card_ts", "nobody", { wallet_id: "w", device_id: "d" })).status, 404);
assert.equal((await passgate.reportOutcome(attempt, { result: "added" })).status, "added");
assert.equal((await passgate.provisioning(attempt)).id, attempt);
assert.equal((await passgate.provisionings({ card: "card_ts" })).data[0]?.id, attempt);
assert.ok((await passgate.timeline(attempt)).some((step) => step.source === "device"));
await assert.rejects(passgate.walletCredential("card_ts", { purpose: "session" }), (error: unknown) =>
  error instanceof PassgateProblem && error.code === "operation_unsupported");
const [token] = (await passgate.tokens("card_ts")).data;
assert.ok(token && token.provisioning === attempt && token.status === "active");
assert.equal((await passgate.token(token.id)).id, token.id);
await assert.rejects(passgate.suspendToken(token.id), (error: unknown) =>
  error instanceof PassgateProblem && error.code === "operation_unsupported" && error.retry === "never");
await assert.rejects(passgate.token("tok_none"), (error: unknown) =>
  error instanceof PassgateProblem && error.code === "token_not_found" && error.retry === "never");

const events = await passgate.events({ card: "card_ts" });
assert.deepEqual(events.data.map((event) => event.sequence), events.data.map((_, index) => index + 1));
assert.deepEqual(await passgate.event(events.data[0]?.id ?? ""), events.data[0]);
const destination = await passgate.addDestination("https://hooks.example/passgate");
assert.ok(destination.secret?.startsWith("whsec_"));
assert.notEqual((await passgate.rotateSecret(destination.id)).secret, destination.secret);
assert.equal((await passgate.destinations()).data.length, 1);
assert.ok((await passgate.destination(destination.id)).deliveries);
await passgate.removeDestination(destination.id);
assert.deepEqual((await passgate.migrations()).data, []);
await assert.rejects(
  passgate.openMigration({ program, from: connection, to: "nowhere", mode: "live", cohort: { percent: 5 } }),
  (error: unknown) => error instanceof PassgateProblem && error.retry === "fix_request" && error.body.errors?.length === 1);
await passgate.eraseCard("card_ts");
await assert.rejects(passgate.card("card_ts"), PassgateProblem);
console.log("the TypeScript kit and its example go with the gateway");
