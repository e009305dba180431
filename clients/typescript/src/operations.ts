import type { HandoffType, ProblemCode, RetryClass, Wallet, WalletChannel } from "./words.js";

/** What a processor offers for a wallet on a channel. */
export interface Capability {
  object: "capability";
  provider: string;
  wallet: Wallet;
  channel: WalletChannel;
  handoff: HandoffType | null;
  operations: string[];
}

/** What a code means, and what to do about it. */
export interface ProblemPage {
  object: "problem_type";
  type: string;
  code: ProblemCode;
  status: number;
  title: string;
  meaning: string;
  what_to_do: string;
  user_message_key: string;
  retry: { not_sent: RetryClass | null; sent_repeatable: RetryClass | null; sent_single_use: RetryClass | null };
}
