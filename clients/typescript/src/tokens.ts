import type { Moment } from "./cards.js";
import type { TokenStatus, Wallet } from "./words.js";

/** What a network put into a wallet for a card. */
export interface Token {
  object: "token";
  id: string;
  card: string;
  program: string;
  provider: string;
  connection: string;
  wallet: Wallet | null;
  status: TokenStatus;
  /** The processor's own word for the status. */
  provider_status: string | null;
  last4: string | null;
  network_reference: string | null;
  device: { type: string | null; name: string | null } | null;
  /** The attempt that it came from. */
  provisioning: string | null;
  created_at: Moment | null;
  observed_at: Moment;
  updated_at: Moment;
}
