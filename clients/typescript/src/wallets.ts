import type { ButtonAction, HandoffType, Open, PassState, ProblemCode, RetryClass, Wallet, WalletChannel } from "./words.js";

/** What an app needs for `PKAddPaymentPassRequestConfiguration`. */
export interface ApplePayConfiguration {
  cardholder_name: string | null;
  primary_account_suffix: string;
  localized_description: string | null;
  payment_network: string;
  encryption_scheme: string;
  primary_account_identifier: string | null;
}

/** Whether a card can be added to a wallet, and all that a button or a wallet extension shows of it. */
export interface WalletEligibility {
  object: "wallet_eligibility";
  card: string;
  wallet: Wallet;
  provider: string | null;
  connection: string | null;
  /** Null where the processor gave no answer. */
  eligible: boolean | null;
  reason: string | null;
  channels: WalletChannel[];
  handoff: HandoffType | null;
  /** Pins who serves, and the handoff, for 15 minutes: to be sent with the attempt. */
  plan: string | null;
  /** Never to be kept: it changes with the first provisioning. */
  primary_account_identifier: string | null;
  manual_provisioning: { available: boolean | null; missing: string[] };
  apple_pay_configuration?: ApplePayConfiguration;
  title: string | null;
  art_url: string | null;
  problem?: { code: ProblemCode; retry: RetryClass; detail: string };
}

/** What an app says of its device, for the wallet button. */
export interface DeviceFacts {
  can_add?: boolean;
  watch_paired?: boolean;
  local_pass?: PassState;
  remote_pass?: PassState;
  digitization_state?: string;
  /** Google's `listTokens`; a state is its name or its number. */
  tokens?: { last4: string; state: string | number }[];
}

/** The question what the app's wallet button should do. */
export interface ButtonQuestion {
  wallet: Wallet;
  device?: DeviceFacts;
}

/** What the app's wallet button should do. */
export interface WalletButton {
  object: "wallet_button";
  show: boolean;
  action: ButtonAction;
  target: Open<"phone" | "watch"> | null;
  reason: string;
  facts: {
    provider: string | null;
    connection: string | null;
    eligible: boolean | null;
    eligibility_reason: string | null;
    activation_credential: boolean | null;
    can_add: boolean | null;
    watch_paired: boolean | null;
    watch_free: boolean | null;
    local_pass: PassState | null;
    remote_pass: PassState | null;
    digitization_state: string | null;
    tokens: { last4: string; state: string | number | null; name: string | null }[] | null;
    other_tokens: number | null;
  };
}
