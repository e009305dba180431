import type { Moment } from "./cards.js";
import type { HandoffType, MigrationMode, MigrationStatus, Open, ProblemCode, Wallet, WalletChannel } from "./words.js";

/** Who is in a cohort, as it is asked for. */
export type Cohort = { percent: number } | { cards: string[] };

/** What stops a migration by itself. */
export interface MigrationGuard {
  min_attempts: number;
  margin: number;
  action: Open<"rollback" | "pause">;
}

/** A migration to be opened. */
export interface MigrationDraft {
  program: string;
  from: string;
  to: string;
  mode: MigrationMode;
  cohort: Cohort;
  guard?: MigrationGuard;
  allow_stranded?: boolean;
}

/** A program's move from one connection to another. */
export interface Migration {
  object: "migration";
  id: string;
  program: string;
  from: string;
  to: string;
  mode: MigrationMode;
  cohort: { percent: number } | { card_count: number };
  guard: MigrationGuard | null;
  allow_stranded: boolean;
  status: MigrationStatus;
  why: string | null;
  created_at: Moment;
  updated_at: Moment;
  advanced_at: Moment | null;
  ended_at: Moment | null;
  settled_at: Moment | null;
  /** In the answer that opened it. */
  preflight?: Preflight;
}

/** What a migration would cost. */
export interface Preflight {
  cards: number;
  without_standby_binding: number;
  wallets_lost: Wallet[];
  channels_lost: { wallet: Wallet; channel: WalletChannel }[];
  handoffs_changed: { wallet: Wallet; channel: WalletChannel; from: HandoffType; to: HandoffType }[];
  connections: { connection: string; provider: string; health: Open<"unknown" | "ok" | "failing" | "left_alone">; credentials: Open<"taken" | "refused" | "not_known"> }[];
}

/** How often something succeeded, and between which shares that lies at 95 %. */
export interface Rate {
  observed: number;
  succeeded: number;
  rate: number | null;
  interval: { low: number; high: number } | null;
}

/** One side of a migration, in numbers. */
export interface ReportedSide {
  connection: string;
  provider: string | null;
  attempts: number;
  handed_off: number;
  /** How many more were turned away at once because the processor had failed repeatedly. */
  left_alone: number;
  handoff: Rate;
  activation: Rate;
  latency_ms: {
    sample: number;
    gateway: { p50: number; p95: number } | null;
    provider: { p50: number; p95: number } | null;
  };
  top_codes: { code: ProblemCode; count: number }[];
}

/** How a migration goes, in numbers. */
export interface MigrationReport {
  object: "migration_report";
  migration: string;
  program: string;
  mode: MigrationMode;
  status: MigrationStatus;
  window: { from: Moment; to: Moment };
  active_by: Open<"token" | "device">;
  from: ReportedSide;
  to: ReportedSide;
  tokens_at_from: number;
  app_cannot: { served_by_other_side: number; refused: number };
  eligibility: {
    proves_nothing: string | null;
    detail: string | null;
    wallets: {
      wallet: Wallet;
      agrees: number;
      eligible_at_from_only: number;
      eligible_at_to_only: number;
      reason_differs: number;
      handoff_changes: number;
      no_answer_at_to: number;
      no_answer_at_from: number;
      without_binding: number;
      dropped: number;
    }[];
  } | null;
  guard: (MigrationGuard & {
    state: Open<"waiting" | "watching" | "tripped" | "idle">;
    looked_at: Moment | null;
    next_look_at: Moment | null;
    looks: {
      stage: Open<"handoff" | "activation">;
      number: number;
      at: Moment;
      from: { observed: number; failed: number };
      to: { observed: number; failed: number };
      score: number;
      p_value: number;
      level: number;
      tripped: boolean;
    }[];
  }) | null;
}
