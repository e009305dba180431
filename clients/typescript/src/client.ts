import { webcrypto } from "node:crypto";
import type {
  BindingChange, Card, CardDraft, CardImportReport, CardLine, Moment, Page, PageRequest,
} from "./cards.js";
import type { EventDelivery, EventDestination, EventReplay, EventType, PassgateEvent, ReplayRequest } from "./events.js";
import { HandoffPayload } from "./handoff.js";
import type { Cohort, Migration, MigrationDraft, MigrationReport } from "./migrations.js";
import type { Capability, ProblemPage } from "./operations.js";
import { PassgateNoAnswer, PassgateProblem } from "./problem.js";
import type {
  CredentialRequest, DeviceOutcome, Provisioned, ProvisioningRecord, ProvisionRequest, TimelineStep, WalletCredential,
} from "./provisionings.js";
import { delayAfter, RetryPolicy, standardPolicy } from "./retry.js";
import type { Token } from "./tokens.js";
import type { ButtonQuestion, WalletButton, WalletEligibility } from "./wallets.js";
import type { HandoffType, MigrationStatus, ProblemCode, ProvisioningStatus, Wallet } from "./words.js";

export interface PassgateOptions {
  /** Where the facade answers, such as `https://passgate.example`. */
  url: string;
  /** `pgk_…`. Backends only: an app or a page never holds one. */
  apiKey: string;
  /** For keys that have several programs. */
  program?: string;
  /** Milliseconds that a call may take, repeats included; 20000 unless told. */
  deadline?: number;
  retryPolicy?: RetryPolicy;
  /** Sends requests; the global one unless told. */
  fetch?: typeof fetch;
  /** Waits; for tests. */
  sleep?: (milliseconds: number) => Promise<void>;
}

/** What one call is sent with beside its members. */
export interface CallOptions {
  program?: string;
  /** The idempotency key of a POST; one is made unless told. Give your own where another process may send the same again. */
  idempotencyKey?: string;
  /** Milliseconds that the call may take. A provisioning also tells the gateway what is left of it. */
  deadline?: number;
  /** The W3C trace context, to be passed on. */
  traceparent?: string;
  retryPolicy?: RetryPolicy;
}

interface Call {
  method: "GET" | "PUT" | "POST" | "DELETE";
  path: string[];
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** The body as it is, in place of `body`. */
  lines?: string;
  takesKey?: boolean;
  takesDeadline?: boolean;
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * Calls a Passgate gateway from a platform's backend: a method for every route. A failure is a `PassgateProblem`, or a
 * `PassgateNoAnswer`.
 */
export class Passgate {
  readonly #url: string;
  readonly #apiKey: string;
  readonly #options: PassgateOptions;

  constructor(options: PassgateOptions) {
    this.#url = options.url.replace(/\/$/, "");
    this.#apiKey = options.apiKey;
    this.#options = options;
  }

  // Cards

  putCard(id: string, draft: CardDraft, options?: CallOptions): Promise<Card> {
    return this.#read({ method: "PUT", path: ["v1", "cards", id], body: draft }, options);
  }

  card(id: string, options?: CallOptions): Promise<Card> {
    return this.#get(["v1", "cards", id], {}, options);
  }

  cards(query: { connection?: string; cardholder?: string } & PageRequest = {}, options?: CallOptions): Promise<Page<Card>> {
    return this.#get(["v1", "cards"], query, options);
  }

  async eraseCard(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: "DELETE", path: ["v1", "cards", id] }, options);
  }

  putBinding(card: string, connection: string, change: BindingChange, options?: CallOptions): Promise<Card> {
    return this.#read({ method: "PUT", path: ["v1", "cards", card, "bindings", connection], body: change }, options);
  }

  /** Registers many cards. The lines are sent at once; for millions, `passgate cards import` reads a file. */
  importCards(lines: CardLine[], options?: CallOptions): Promise<CardImportReport> {
    const text = lines.map((line) => JSON.stringify(line) + "\n").join("");
    return this.#read({ method: "POST", path: ["v1", "cards", "import"], lines: text }, options);
  }

  // Wallets

  async wallets(
    card: string, query: { accept?: HandoffType[]; wallet?: Wallet } = {}, options?: CallOptions,
  ): Promise<WalletEligibility[]> {
    const words = { accept: query.accept?.join(","), wallet: query.wallet };
    return (await this.#get<Page<WalletEligibility>>(["v1", "cards", card, "wallets"], words, options)).data;
  }

  async cardholderWallets(
    cardholder: string, query: { wallet?: Wallet } = {}, options?: CallOptions,
  ): Promise<WalletEligibility[]> {
    const path = ["v1", "cardholders", cardholder, "wallets"];
    return (await this.#get<Page<WalletEligibility>>(path, query, options)).data;
  }

  walletButton(card: string, question: ButtonQuestion, options?: CallOptions): Promise<WalletButton> {
    const path = ["v1", "cards", card, "wallet_button"];
    return this.#read({ method: "POST", path, body: question }, options);
  }

  // Provisionings

  /** Makes the handoff for one wallet: the main job. */
  async provision(card: string, request: ProvisionRequest, options?: CallOptions): Promise<Provisioned> {
    const path = ["v1", "cards", card, "provisionings"];
    const { status, text } = await this.#send(
      { method: "POST", path, body: request, takesKey: true, takesDeadline: true }, options);
    const { handoff: _, ...record } = parse<ProvisioningRecord & { handoff: unknown }>(text, status);
    const handoff = HandoffPayload.in(text);
    if (handoff === undefined) throw new PassgateNoAnswer(status);
    return { record, handoff };
  }

  provisioning(id: string, options?: CallOptions): Promise<ProvisioningRecord> {
    return this.#get(["v1", "provisionings", id], {}, options);
  }

  provisionings(
    query: { card?: string; status?: ProvisioningStatus; provider?: string } & PageRequest = {}, options?: CallOptions,
  ): Promise<Page<ProvisioningRecord>> {
    return this.#get(["v1", "provisionings"], query, options);
  }

  reportOutcome(id: string, outcome: DeviceOutcome, options?: CallOptions): Promise<ProvisioningRecord> {
    return this.#post(["v1", "provisionings", id, "outcome"], outcome, options);
  }

  async timeline(id: string, options?: CallOptions): Promise<TimelineStep[]> {
    return (await this.#get<Page<TimelineStep>>(["v1", "provisionings", id, "timeline"], {}, options)).data;
  }

  walletCredential(card: string, request: CredentialRequest, options?: CallOptions): Promise<WalletCredential> {
    return this.#post(["v1", "cards", card, "wallet_credentials"], request, options);
  }

  // Tokens

  tokens(card: string, page: PageRequest = {}, options?: CallOptions): Promise<Page<Token>> {
    return this.#get(["v1", "cards", card, "tokens"], page, options);
  }

  token(id: string, options?: CallOptions): Promise<Token> {
    return this.#get(["v1", "tokens", id], {}, options);
  }

  suspendToken(id: string, options?: CallOptions): Promise<Token> {
    return this.#post(["v1", "tokens", id, "suspend"], undefined, options);
  }

  resumeToken(id: string, options?: CallOptions): Promise<Token> {
    return this.#post(["v1", "tokens", id, "resume"], undefined, options);
  }

  deleteToken(id: string, options?: CallOptions): Promise<Token> {
    return this.#post(["v1", "tokens", id, "delete"], undefined, options);
  }

  // Events and their destinations

  events(
    query: { card?: string; type?: EventType; after?: string } & PageRequest = {}, options?: CallOptions,
  ): Promise<Page<PassgateEvent>> {
    return this.#get(["v1", "events"], query, options);
  }

  event(id: string, options?: CallOptions): Promise<PassgateEvent> {
    return this.#get(["v1", "events", id], {}, options);
  }

  /** The answer holds the secret, once. */
  addDestination(url: string, options?: CallOptions): Promise<EventDestination> {
    return this.#post(["v1", "event_destinations"], { url }, options);
  }

  destinations(page: PageRequest = {}, options?: CallOptions): Promise<Page<EventDestination>> {
    return this.#get(["v1", "event_destinations"], page, options);
  }

  /** With what became of its deliveries: all, or those of a status. */
  destination(
    id: string, query: { status?: EventDelivery["status"] } & PageRequest = {}, options?: CallOptions,
  ): Promise<EventDestination> {
    return this.#get(["v1", "event_destinations", id], query, options);
  }

  async removeDestination(id: string, options?: CallOptions): Promise<void> {
    await this.#send({ method: "DELETE", path: ["v1", "event_destinations", id] }, options);
  }

  /** Replaces its secret; for a day both sign. The answer holds the new one, once. */
  rotateSecret(id: string, options?: CallOptions): Promise<EventDestination> {
    return this.#post(["v1", "event_destinations", id, "rotate"], undefined, options);
  }

  replayEvents(id: string, request: ReplayRequest, options?: CallOptions): Promise<EventReplay> {
    return this.#post(["v1", "event_destinations", id, "replay"], request, options);
  }

  // Migrations

  openMigration(draft: MigrationDraft, options?: CallOptions): Promise<Migration> {
    return this.#post(["v1", "migrations"], draft, options);
  }

  migrations(query: { status?: MigrationStatus } & PageRequest = {}, options?: CallOptions): Promise<Page<Migration>> {
    return this.#get(["v1", "migrations"], query, options);
  }

  migration(id: string, options?: CallOptions): Promise<Migration> {
    return this.#get(["v1", "migrations", id], {}, options);
  }

  advanceMigration(id: string, cohort: Cohort, options?: CallOptions): Promise<Migration> {
    return this.#post(["v1", "migrations", id, "advance"], { cohort }, options);
  }

  pauseMigration(id: string, options?: CallOptions): Promise<Migration> {
    return this.#post(["v1", "migrations", id, "pause"], undefined, options);
  }

  resumeMigration(id: string, options?: CallOptions): Promise<Migration> {
    return this.#post(["v1", "migrations", id, "resume"], undefined, options);
  }

  rollBackMigration(id: string, options?: CallOptions): Promise<Migration> {
    return this.#post(["v1", "migrations", id, "rollback"], undefined, options);
  }

  completeMigration(id: string, options?: CallOptions): Promise<Migration> {
    return this.#post(["v1", "migrations", id, "complete"], undefined, options);
  }

  migrationReport(id: string, options?: CallOptions): Promise<MigrationReport> {
    return this.#get(["v1", "migrations", id, "report"], {}, options);
  }

  // Operations

  async capabilities(options?: CallOptions): Promise<Capability[]> {
    return (await this.#get<Page<Capability>>(["v1", "capabilities"], {}, options)).data;
  }

  problemPage(code: ProblemCode, options?: CallOptions): Promise<ProblemPage> {
    return this.#get(["errors", code], {}, options);
  }

  health(options?: CallOptions): Promise<{ status: "ok" }> {
    return this.#get(["healthz"], {}, options);
  }

  readiness(options?: CallOptions): Promise<{ status: "ready" }> {
    return this.#get(["readyz"], {}, options);
  }

  // How calls are sent

  #get<Answer>(path: string[], query: object, options?: CallOptions): Promise<Answer> {
    return this.#read({ method: "GET", path, query: query as NonNullable<Call["query"]> }, options);
  }

  #post<Answer>(path: string[], body: unknown, options?: CallOptions): Promise<Answer> {
    return this.#read({ method: "POST", path, body, takesKey: true }, options);
  }

  async #read<Answer>(call: Call, options?: CallOptions): Promise<Answer> {
    const { status, text } = await this.#send(call, options);
    return parse<Answer>(text, status);
  }

  async #send(call: Call, options: CallOptions = {}): Promise<{ status: number; text: string }> {
    const end = Date.now() + (options.deadline ?? this.#options.deadline ?? 20_000);
    const policy = options.retryPolicy ?? this.#options.retryPolicy ?? standardPolicy;
    const url = this.#url + target(call);
    const key = call.takesKey ? options.idempotencyKey ?? webcrypto.randomUUID() : undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(call, url, key, end - Date.now(), options);
      } catch (failure) {
        const delay = delayAfter(failure, attempt, policy, Math.random());
        if (delay === undefined || Date.now() + delay >= end) throw failure;
        await (this.#options.sleep ?? wait)(delay);
      }
    }
  }

  async #once(
    call: Call, url: string, key: string | undefined, left: number, options: CallOptions,
  ): Promise<{ status: number; text: string }> {
    const headers: Record<string, string> = {
      "Authorization": `Bearer ${this.#apiKey}`, "Accept": "application/json, application/problem+json",
    };
    const program = options.program ?? this.#options.program;
    if (call.lines !== undefined) headers["Content-Type"] = "application/x-ndjson";
    else if (call.body !== undefined) headers["Content-Type"] = "application/json";
    if (key !== undefined) headers["Idempotency-Key"] = key;
    if (program !== undefined) headers["Passgate-Program"] = program;
    // The gateway's answer needs a moment to come back.
    if (call.takesDeadline) headers["Passgate-Deadline"] = String(Math.max(Math.floor(Math.max(left - 250, left / 2)), 1));
    if (options.traceparent !== undefined) headers["traceparent"] = options.traceparent;
    const body = call.lines ?? (call.body === undefined ? null : JSON.stringify(call.body));
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), Math.max(left, 1));
    let status: number;
    let text: string;
    try {
      const answer = await (this.#options.fetch ?? fetch)(url, {
        method: call.method, headers, body, redirect: "manual", signal: abort.signal,
      });
      status = answer.status;
      text = await answer.text();
    } catch {
      // The error's own words may hold what was sent.
      throw new PassgateNoAnswer(undefined);
    } finally {
      clearTimeout(timer);
    }
    if (status >= 200 && status < 300) return { status, text };
    throw PassgateProblem.read(text, status) ?? new PassgateNoAnswer(status);
  }
}

function target(call: Call): string {
  if (call.path.some((part) => ["", ".", ".."].includes(part))) throw new TypeError("an id is empty, or a dot segment");
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return "/" + call.path.map(encodeURIComponent).join("/") + (text && `?${text}`);
}

function parse<Answer>(text: string, status: number): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new PassgateNoAnswer(status);
  }
}

/** A time of the caller's, as the gateway reads it. */
export function moment(date: Date): Moment {
  return date.toISOString();
}
