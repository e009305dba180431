import { moment, Passgate, PassgateProblem } from "./src/index.js";

/** What a backend answers its app with when the cardholder taps "Add to Google Wallet". */
export async function addToGooglePay(
  passgate: Passgate, card: string, cardholder: string, googlePay: { wallet_id: string; device_id: string },
): Promise<{ status: number; body: string }> {
  try {
    const { record, handoff } = await passgate.provision(card, {
      wallet: "google_pay", accept: ["google_pay_opaque_card"], google_pay: googlePay,
      cardholder: { id: cardholder, authentication: { method: "passkey", authenticated_at: moment(new Date()) } },
    });
    return { status: 200, body: `{"attempt":${JSON.stringify(record.id)},"handoff":${handoff.json}}` };
  } catch (error) {
    if (!(error instanceof PassgateProblem)) throw error;
    // `fresh_handshake` and `check_wallet_first` are the app's to act on; the text for people goes by the key.
    return { status: error.status, body: JSON.stringify({ retry: error.retry, text: error.body.user_message_key }) };
  }
}
