// The provisioning route as a platform would write it for Node, with its own http module alone: it checks the key, reads
// the request, calls Increase over a pool of kept connections, and writes the same answer as the gateway. It keeps
// nothing and looks into no certificate.
import { randomBytes, timingSafeEqual } from "node:crypto";
import http from "node:http";

const key = Buffer.from(`Bearer ${process.env.KEY}`);
const upstream = new URL(process.env.UPSTREAM);
const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
const cards = new Map(Array.from({ length: Number(process.env.CARDS) }, (_, number) => [
  `card_${number}`, {
    program: "bench", connection: "increase_bench", providerCardID: `sandbox_card_${number}`,
    cardholder: { id: `holder_${number}`, name: "Bea Bench" },
  },
]));
const newID = () => randomBytes(12).toString("hex");

class Refusal extends Error {
  constructor(status, code) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

function read(stream, limit) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    stream.on("data", (chunk) => {
      size += chunk.length;
      if (size > limit) reject(new Refusal(413, "payload_too_large"));
      chunks.push(chunk);
    });
    stream.on("end", () => resolve(Buffer.concat(chunks)));
    stream.on("error", reject);
  });
}

function parse(bytes) {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new Refusal(400, "malformed_json");
  }
}

function push(card, applePay) {
  const body = JSON.stringify({
    channel: "apple_pay_in_app",
    cardholder_name: card.cardholder.name,
    apple_pay_in_app: {
      certificates: applePay.certificates.map((certificate) => ({ certificate })),
      nonce: applePay.nonce,
      nonce_signature: applePay.nonce_signature,
    },
  });
  return new Promise((resolve, reject) => {
    const call = http.request({
      agent, host: upstream.hostname, port: upstream.port, method: "POST",
      path: `/cards/${card.providerCardID}/push_provision`,
      headers: {
        authorization: "Bearer test_key", "content-type": "application/json",
        "content-length": Buffer.byteLength(body), "idempotency-key": newID(),
      },
    }, (response) => read(response, 262144).then((bytes) => resolve(parse(bytes)), reject));
    call.on("error", reject);
    call.end(body);
  });
}

async function provision(request) {
  const authorization = Buffer.from(request.headers.authorization ?? "");
  if (authorization.length !== key.length || !timingSafeEqual(authorization, key)) {
    throw new Refusal(401, "unauthenticated");
  }
  const id = /^\/v1\/cards\/([A-Za-z0-9_-]{1,64})\/provisionings$/.exec(request.url)?.[1];
  if (!id || request.method !== "POST") throw new Refusal(404, "route_not_found");
  const order = parse(await read(request, 262144));
  const card = cards.get(id);
  if (!card || order.cardholder?.id !== card.cardholder.id) throw new Refusal(404, "card_not_found");
  if (order.wallet !== "apple_pay" || order.apple_pay?.certificates?.length !== 2) {
    throw new Refusal(400, "invalid_request");
  }
  const pass = (await push(card, order.apple_pay)).apple_pay_in_app;
  if (!pass) throw new Refusal(502, "provider_contract_violation");
  return {
    object: "provisioning", id: `prov_${newID()}`, card: id, program: card.program, provider: "increase",
    connection: card.connection, wallet: "apple_pay", channel: "in_app", origin: "app", status: "handed_off",
    created_at: new Date().toISOString(), expires_at: null,
    handoff: {
      type: "apple_pay_pass", activation_data: pass.activation_data, encrypted_pass_data: pass.encrypted_pass_data,
      ephemeral_public_key: pass.ephemeral_public_key, encryption_version: pass.encryption_version,
    },
    repairs: [], warnings: [],
  };
}

function send(response, status, type, value) {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    "content-type": type, "content-length": Buffer.byteLength(body), "cache-control": "no-store",
    "request-id": `req_${newID()}`,
  });
  response.end(body);
}

const server = http.createServer((request, response) => {
  provision(request).then(
    (answer) => send(response, 201, "application/json", answer),
    (error) => send(response, error.status ?? 502, "application/problem+json",
      { status: error.status ?? 502, code: error.code ?? "provider_unavailable" }));
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), "127.0.0.1");
