import type { Moment, Page } from "./cards.js";
import type { Open, ProvisioningStatus, TokenStatus } from "./words.js";

/** What an event tells of: a family and a word. */
export type EventType =
  | `provisioning.${Exclude<ProvisioningStatus, "sending">}`
  | `token.${TokenStatus}`
  | "token.card_changed"
  | "card.binding_changed"
  | `migration.${"created" | "advanced" | "paused" | "resumed" | "rolled_back" | "completed"}`
  | (string & Record<never, never>);

/** Something that happened, normalised. */
export interface PassgateEvent {
  object: "event";
  /** The same at every delivery. */
  id: string;
  type: EventType;
  program: string;
  /** Null for what is about a program. */
  card: string | null;
  /** Counts the card's events, without gaps. */
  sequence: number;
  created_at: Moment;
  /** What it tells; which members there are goes by `object`: `provisioning`, `token`, `binding` or `migration`. */
  data: { object: string } & Record<string, string | null>;
}

/** Where events are sent. */
export interface EventDestination {
  object: "event_destination";
  id: string;
  program: string;
  url: string;
  status: Open<"enabled" | "disabled">;
  /** `whsec_…`, in the answer that made it, and never again. */
  secret?: string;
  former_secret_until: Moment | null;
  created_at: Moment;
  updated_at: Moment;
  /** Where one destination was read. */
  deliveries?: Page<EventDelivery>;
}

/** An event on its way to a destination. */
export interface EventDelivery {
  object: "event_delivery";
  event: string;
  type: EventType;
  card: string | null;
  status: Open<"pending" | "delivered" | "dead">;
  queued_at: Moment;
  next_attempt_at: Moment | null;
  attempts: { at: Moment; duration_ms: number; status: number | null; failure: string | null }[];
}

/** Which events are sent to a destination again. */
export type ReplayRequest =
  | { from_event: string; dead_letters?: boolean }
  | { from_time: Moment; dead_letters?: boolean }
  | { dead_letters: true };

/** What a replay came to. `next_event` is where the rest begins. */
export interface EventReplay {
  object: "event_replay";
  destination: string;
  queued: number;
  next_event: string | null;
}
