"""Increase's own Python client, against the emulator: does it believe what the emulator says?"""

import base64
import datetime
import json
import os
import pathlib
import unittest
import uuid

import increase
import standardwebhooks
from increase import Increase

URL = os.environ["EMULATOR_URL"]
KEY = json.loads(os.environ["EMULATOR_CONNECTION"])["api_key"]


def client(key=KEY):
    """A client that refuses an answer of another form than its own models', and never tries again."""
    return Increase(api_key=key, base_url=URL, max_retries=0, _strict_response_validation=True)


def google(session=None):
    return {
        "channel": "google_pay_in_app",
        "cardholder_name": "Ian Crease",
        "google_pay_in_app": {
            "stable_hardware_identifier": "hardware-1",
            "wallet_identifier": "wallet-1",
            "server_session_identifier": session or str(uuid.uuid4()),
        },
    }


class IncreaseClient(unittest.TestCase):
    def setUp(self):
        self.client = client()
        self.addCleanup(self.client.close)

    def push(self, card, body=None, key=None):
        """`push_provision` is in no published description, so it goes through the client's raw request."""
        options = {"headers": {"Idempotency-Key": key}} if key else {}
        return self.client.post(
            f"/cards/{card}/push_provision", cast_to=object, body=body or google(), options=options)

    def new_card(self):
        return "sandbox_card_ok" + uuid.uuid4().hex

    def assert_known(self, model):
        """Every member is one that the client's model has, and so in the objects within."""
        self.assertEqual(model.model_extra or {}, {}, type(model).__name__)
        for name in type(model).model_fields:
            value = getattr(model, name)
            for inner in value if isinstance(value, list) else [value]:
                if hasattr(inner, "model_extra"):
                    self.assert_known(inner)

    def test_the_vectors_of_the_webhook_tests_are_the_librarys(self):
        for vector in json.loads((pathlib.Path(__file__).parent / "webhook_vectors.json").read_text()):
            with self.subTest(vector["name"]):
                moment = datetime.datetime.fromtimestamp(vector["timestamp"], tz=datetime.timezone.utc)
                signature = standardwebhooks.Webhook(vector["secret"].encode()).sign(
                    msg_id=vector["headers"]["webhook-id"], timestamp=moment,
                    data=base64.b64decode(vector["body"]).decode())
                self.assertEqual(signature, vector["headers"]["webhook-signature"])

    def test_the_client_verifies_with_the_secrets_own_bytes(self):
        moment = datetime.datetime.now(tz=datetime.timezone.utc)
        body = json.dumps({"id": "event_1", "category": "digital_wallet_token.updated", "type": "event"})
        signer = standardwebhooks.Webhook(b"invented_shared_secret")
        headers = {
            "webhook-id": "msg_1", "webhook-timestamp": str(int(moment.timestamp())),
            "webhook-signature": signer.sign(msg_id="msg_1", timestamp=moment, data=body)}
        event = self.client.events.unwrap(body, headers=headers, key=b"invented_shared_secret")
        self.assertEqual(event.id, "event_1")

    def test_a_card_is_made_and_read(self):
        made = self.client.cards.create(
            account_id="account_in71c4amph0vgo2qllky", description="Petty cash",
            digital_wallet={"email": "ian@crease.example", "phone": "+12125550100"})
        read = self.client.cards.retrieve(made.id)
        self.assertEqual((read.id, read.status, read.type), (made.id, "active", "card"))
        self.assertEqual(read.digital_wallet.email, "ian@crease.example")
        self.assert_known(read)

    def test_a_magic_card_is_a_card(self):
        for name, status in [("ok", "active"), ("canceled", "canceled"), ("disabled", "disabled")]:
            card = self.client.cards.retrieve(f"sandbox_card_{name}")
            self.assertEqual(card.status, status)
            self.assert_known(card)

    def test_a_repeated_idempotency_key_makes_one_card(self):
        key = str(uuid.uuid4())
        cards = [self.client.cards.create(account_id="account_1", idempotency_key=key) for _ in range(2)]
        self.assertEqual(cards[0].id, cards[1].id)
        self.assertEqual(cards[0].idempotency_key, key)
        with self.assertRaises(increase.IdempotencyKeyAlreadyUsedError) as caught:
            self.client.cards.create(account_id="account_2", idempotency_key=key)
        self.assertEqual(caught.exception.body["resource_id"], cards[0].id)

    def test_a_pushed_card_has_a_token(self):
        card = self.new_card()
        answer = self.push(card)
        self.assertEqual(answer["channel"], "google_pay_in_app")
        self.assertTrue(answer["google_pay_in_app"]["token_service_provider_opaque_payment_card"])
        self.assertTrue(answer["google_pay_in_app"]["google_opaque_payment_card"])
        tokens = list(self.client.digital_wallet_tokens.list(card_id=card))
        self.assertEqual([token.card_id for token in tokens], [card])
        self.assertEqual((tokens[0].token_requestor, tokens[0].status), ("google_pay", "active"))
        self.assert_known(tokens[0])
        self.assertEqual(self.client.digital_wallet_tokens.retrieve(tokens[0].id), tokens[0])

    def test_tokens_come_page_by_page_and_the_newest_first(self):
        card = self.new_card()
        for _ in range(3):
            self.push(card)
        page = self.client.digital_wallet_tokens.list(card_id=card, limit=2)
        self.assertEqual(len(page.data), 2)
        self.assertTrue(page.has_next_page())
        tokens = list(page)
        self.assertEqual(len({token.id for token in tokens}), 3)
        moments = [token.created_at for token in tokens]
        self.assertEqual(moments, sorted(moments, reverse=True))
        none = self.client.digital_wallet_tokens.list(card_id=card, created_at={"before": moments[-1]})
        self.assertEqual(none.data, [])
        all_of_them = self.client.digital_wallet_tokens.list(card_id=card, created_at={"on_or_after": moments[-1]})
        self.assertEqual(len(all_of_them.data), 3)

    def test_every_refusal_is_one_that_the_client_knows(self):
        refusals = [
            ("notenabled", increase.PrivateFeatureError, 403),
            ("nomethod", increase.APIMethodNotFoundError, 404),
            ("noaccess", increase.InsufficientPermissionsError, 403),
            ("otherenv", increase.EnvironmentMismatchError, 403),
            ("canceled", increase.InvalidOperationError, 409),
            ("ratelimited", increase.RateLimitedError, 429),
            ("error", increase.InternalServerError, 500),
            ("nobody", increase.ObjectNotFoundError, 404),
        ]
        for name, kind, status in refusals:
            with self.subTest(name), self.assertRaises(kind) as caught:
                self.push(f"sandbox_card_{name}")
            self.assertEqual(caught.exception.status_code, status)
            self.assertEqual(caught.exception.body["status"], status)
            self.assertTrue(caught.exception.body["title"])

    def test_a_rate_limit_says_how_long(self):
        with self.assertRaises(increase.RateLimitedError) as caught:
            self.push("sandbox_card_ratelimited")
        self.assertEqual(caught.exception.body["retry_after"], 7)

    def test_a_wrong_member_is_named(self):
        body = google()
        body["google_pay_in_app"]["wallet"] = "wallet-1"
        with self.assertRaises(increase.InvalidParametersError) as caught:
            self.push(self.new_card(), body)
        self.assertEqual(caught.exception.body["errors"][0]["field"], "google_pay_in_app.wallet")

    def test_a_session_works_once(self):
        card, body = self.new_card(), google()
        self.push(card, body)
        with self.assertRaises(increase.InvalidParametersError):
            self.push(card, body)

    def test_another_key_is_refused(self):
        for key in ["sandbox_wrong", "key_of_production"]:
            with client(key) as other, self.assertRaises(increase.InvalidAPIKeyError):
                other.cards.retrieve("sandbox_card_ok")

    def test_a_missing_token_is_not_found(self):
        with self.assertRaises(increase.ObjectNotFoundError):
            self.client.digital_wallet_tokens.retrieve("sandbox_digital_wallet_token_nobody")
