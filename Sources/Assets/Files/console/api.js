// Calls to the gateway. The session is a cookie that no script can read; what this holds is its token for changes.

export class Problem extends Error {
  constructor(status, document) {
    super(document?.detail ?? document?.title ?? `The gateway answered ${status}.`);
    this.status = status;
    this.code = document?.code;
    this.retryAfter = document?.retry_after;
  }
}

export const session = { current: null, program: null };
const kept = new Map();

export function forget() {
  session.current = null;
  kept.clear();
}

export const may = (scope) => session.current?.scopes.includes(scope) ?? false;

async function send(method, path, body) {
  const headers = { accept: "application/json" };
  const isRead = method === "GET";
  if (session.program) headers["passgate-program"] = session.program;
  const key = `${session.program} ${path}`;
  if (isRead && kept.has(key)) headers["if-none-match"] = kept.get(key).tag;
  if (!isRead) {
    headers["passgate-csrf"] = session.current?.csrf ?? "";
    headers["idempotency-key"] = crypto.randomUUID();
    if (body !== undefined) headers["content-type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(`/console/api/${path}`, {
      method, headers, cache: "no-store", redirect: "error", credentials: "same-origin",
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Problem(0, { detail: "The gateway cannot be reached." });
  }
  if (answer.status === 304) return kept.get(key).document;
  const document = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) throw new Problem(answer.status, document);
  const tag = answer.headers.get("etag");
  if (isRead && tag) {
    if (kept.size > 50) kept.clear();
    kept.set(key, { tag, document });
  }
  return document;
}

// The same document is given, the very same object, for as long as it does not change.
export const read = (path, query = {}) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(given).toString();
  return send("GET", text ? `${path}?${text}` : path);
};
export const change = (path, body = {}) => send("POST", path, body);

export async function signIn(key) {
  session.current = null;
  session.current = await send("POST", "session", { key });
}
export async function resume() { session.current = await send("GET", "session"); }
export async function signOut() {
  try { await send("DELETE", "session"); } finally { forget(); }
}
