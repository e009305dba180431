import type { ProblemCode, ProblemOutcome, RetryClass } from "./words.js";

/** A problem's members, as the gateway tells them (RFC 9457). It holds no secret. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  retry: RetryClass;
  /** How many seconds to wait first, where the gateway says so. */
  retry_after: number | null;
  /** What is known of the effect at the processor; null outside provisioning. */
  outcome: ProblemOutcome | null;
  /** The key of a text for the cardholder. */
  user_message_key?: string;
  request_id: string;
  reason?: string;
  /** The attempt's record, where there is one. */
  provisioning?: string;
  errors?: { pointer: string; code: string; detail: string }[];
  provider?: { id: string; connection: string; status: number | null; code: string | null; request_id: string | null };
}

/** The gateway says no: `retry` says what to do next. */
export class PassgateProblem extends Error {
  override readonly name = "PassgateProblem";
  readonly code: ProblemCode;
  readonly retry: RetryClass;
  readonly outcome: ProblemOutcome | null;
  /** Seconds. */
  readonly retryAfter: number | null;
  readonly status: number;
  readonly requestId: string;
  /** All its members. */
  readonly body: ProblemBody;

  constructor(body: ProblemBody) {
    super(`${body.status} ${body.code}, retry ${body.retry}: ${body.detail} [${body.request_id}]`);
    this.body = body;
    this.code = body.code;
    this.retry = body.retry;
    this.outcome = body.outcome;
    this.retryAfter = body.retry_after;
    this.status = body.status;
    this.requestId = body.request_id;
  }

  /** Reads a problem; undefined where the text is none, or tells another status than it came with. */
  static read(text: string, status: number): PassgateProblem | undefined {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return undefined;
    }
    return isProblem(body) && body.status === status ? new PassgateProblem(body) : undefined;
  }
}

/** The gateway's answer did not come, or is not the gateway's: it may or may not have acted. */
export class PassgateNoAnswer extends Error {
  override readonly name = "PassgateNoAnswer";
  /** The status of what came in its place, a proxy's page most likely; undefined where nothing came. */
  readonly status: number | undefined;

  constructor(status: number | undefined) {
    super(status === undefined ? "no answer from the gateway" : `an answer that cannot be read, ${status}`);
    this.status = status;
  }
}

function isProblem(body: unknown): body is ProblemBody {
  if (typeof body !== "object" || body === null) return false;
  const members = body as Record<string, unknown>;
  const texts = ["type", "title", "detail", "code", "retry", "request_id"];
  return texts.every((name) => typeof members[name] === "string") && typeof members["status"] === "number";
}
