import type { BindingState, ProblemCode } from "./words.js";

/** A time as the gateway writes it: RFC 3339 in UTC with milliseconds. */
export type Moment = string;

/** A part of a list. */
export interface Page<Element> {
  object: "list";
  data: Element[];
  /** Where the next part begins; null where there is none. */
  next_cursor: string | null;
}

/** Which part of a list is wanted: `limit` is 1 to 100. */
export interface PageRequest {
  limit?: number;
  cursor?: string;
}

/** The platform's own members of a card. */
export type Metadata = Record<string, string | number | boolean>;

/** A card at one of its processors. */
export interface CardBinding {
  connection: string;
  provider: string | null;
  provider_card_id: string;
  /** Ids that were replaced. Their tokens and webhooks are still the card's. */
  former_ids: string[];
  provider_cardholder_id: string | null;
  last4: string;
  network: string;
  product_id: string | null;
  state: BindingState;
}

/** A card as the gateway knows it. */
export interface Card {
  object: "card";
  id: string;
  program: string;
  cardholder: { id: string | null; name: string | null };
  title: string | null;
  art_url: string | null;
  metadata: Metadata | null;
  bindings: CardBinding[];
  /** The connection that serves its next attempt. */
  serving: string | null;
  created_at: Moment;
  updated_at: Moment;
}

/** A card at a processor, to be registered. */
export interface BindingDraft {
  connection: string;
  provider_card_id: string;
  last4: string;
  network: string;
  provider_cardholder_id?: string;
  product_id?: string;
}

/** A card to be registered or changed. Members that are left out stay as they are; a new card needs the first two. */
export interface CardDraft {
  binding?: BindingDraft;
  cardholder?: { id: string; name: string };
  title?: string;
  art_url?: string;
  metadata?: Metadata;
}

/** A card of an import: a draft with its id. */
export interface CardLine extends CardDraft {
  id: string;
}

/** A binding at a connection that the path names. */
export interface BindingChange extends Omit<BindingDraft, "connection"> {
  state: BindingState;
}

/** What became of an import. `errors` lists the first thousand. */
export interface CardImportReport {
  imported: number;
  updated: number;
  failed: number;
  errors: { line: number; code: ProblemCode; detail: string }[];
}
