import { PassgateNoAnswer, PassgateProblem } from "./problem.js";

/**
 * Which failures a call tries again by itself, with the same idempotency key. Only `same_request` and `after_delay` are;
 * the other classes are told to the caller at once, whatever the policy.
 */
export interface RetryPolicy {
  /** How many times a call is sent at most, the first time included. */
  attempts: number;
  /** Milliseconds, where the gateway does not say: doubled each time, and jittered down to half. */
  firstDelay: number;
  /** Milliseconds: where more waiting is asked for, the problem is told instead. */
  longestDelay: number;
  /** Whether a call is sent again where no answer came, or a proxy's (502, 503, 504). Every call can be repeated. */
  repeatsLostAnswers: boolean;
}

export const standardPolicy: RetryPolicy = {
  attempts: 3, firstDelay: 200, longestDelay: 5000, repeatsLostAnswers: true,
};

/** How many milliseconds to wait before a call is sent again; undefined where it is not. `jitter` is from 0 to 1. */
export function delayAfter(
  failure: unknown, attempt: number, policy: RetryPolicy, jitter: number,
): number | undefined {
  if (attempt >= policy.attempts) return undefined;
  const backoff = policy.firstDelay * 2 ** (attempt - 1) * (1 - jitter / 2);
  let delay: number | undefined;
  if (failure instanceof PassgateProblem) {
    if (failure.retry === "same_request") delay = backoff;
    if (failure.retry === "after_delay") delay = failure.retryAfter === null ? backoff : failure.retryAfter * 1000;
  } else if (failure instanceof PassgateNoAnswer && policy.repeatsLostAnswers) {
    if (failure.status === undefined || [502, 503, 504].includes(failure.status)) delay = backoff;
  }
  return delay !== undefined && delay <= policy.longestDelay ? delay : undefined;
}
