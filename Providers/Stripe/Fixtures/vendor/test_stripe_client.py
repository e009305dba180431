"""Stripe's own Python client, against the emulator: does it believe what the emulator says?"""

import base64
import json
import os
import pathlib
import typing
import unittest
import uuid

import stripe

URL = os.environ["EMULATOR_URL"]
KEY = json.loads(os.environ["EMULATOR_CONNECTION"])["secret_key"]
VERSION = "2020-08-27"


def client(key=KEY, **options):
    """A client that never tries again."""
    return stripe.StripeClient(key, base_addresses={"api": URL}, max_network_retries=0, **options)


class StripeClient(unittest.TestCase):
    def setUp(self):
        self.client = client()

    def new_card(self):
        return "ic_ok" + uuid.uuid4().hex

    def make_key(self, card, client=None, **options):
        """`issuing_card` is in the client's parameters, and the version is a header of its options."""
        options = {"stripe_version": VERSION, **options}
        return (client or self.client).v1.ephemeral_keys.create({"issuing_card": card}, options)

    def push(self, card, version=VERSION):
        """The mobile SDK's call, which is in no published description, with the client's raw request and a key."""
        key = self.make_key(card)
        answer = client(key.secret).raw_request(
            "get", f"/v1/issuing/cards/{card}/push_provisioning_details", stripe_version=version,
            android={"wallet_account_id": "wallet-1", "device_id": "hardware-1"})
        return answer.data

    def assert_known(self, model, besides=()):
        """Every member is one that the client's class declares, and so in the objects within."""
        declared = {name for kind in type(model).__mro__ for name in kind.__dict__.get("__annotations__", {})}
        members = model.to_dict(recursive=False)
        self.assertEqual(set(members) - declared - set(besides), set(), type(model).__name__)
        for value in members.values():
            for inner in value if isinstance(value, list) else [value]:
                # An object without a class of its own, such as `metadata`, declares nothing.
                if isinstance(inner, stripe.StripeObject) and type(inner) is not stripe.StripeObject:
                    self.assert_known(inner)

    def test_a_card_is_read(self):
        card = self.client.v1.issuing.cards.retrieve(self.new_card())
        self.assertIsInstance(card, stripe.issuing.Card)
        self.assertEqual((card.object, card.status, card.livemode), ("issuing.card", "active", False))
        self.assertTrue(card.wallets.apple_pay.eligible and card.wallets.google_pay.eligible)
        self.assertIsNone(card.wallets.apple_pay.ineligible_reason)
        self.assertIsNone(card.wallets.primary_account_identifier)
        self.assertEqual(card.cardholder.object, "issuing.cardholder")
        self.assert_known(card)

    def test_a_magic_card_is_a_card(self):
        for name, status, reason in [
            ("ok", "active", None), ("inactive", "inactive", None), ("canceled", "canceled", None),
            ("missingagreement", "active", "missing_agreement"),
            ("nocontact", "active", "missing_cardholder_contact"),
            ("unsupportedregion", "active", "unsupported_region"),
        ]:
            with self.subTest(name):
                card = self.client.v1.issuing.cards.retrieve(f"ic_{name}")
                self.assertEqual((card.status, card.wallets.apple_pay.ineligible_reason), (status, reason))
                self.assert_known(card)

    def test_a_key_is_made_for_the_version_asked_for(self):
        key = self.make_key(self.new_card())
        self.assertIsInstance(key, stripe.EphemeralKey)
        self.assertEqual((key.object, key.livemode), ("ephemeral_key", False))
        self.assertTrue(key.secret.startswith("ek_test_"))
        self.assertEqual(key.expires - key.created, 3600)
        self.assertEqual(key.last_response.headers["stripe-version"], VERSION)
        # The client's class does not declare what its SDKs for phones demand.
        self.assert_known(key, besides=["associated_objects"])
        self.assertEqual(key.associated_objects[0].type, "issuing.card")

    def test_a_version_is_demanded_by_the_client(self):
        with self.assertRaisesRegex(ValueError, "stripe_version must be specified"):
            stripe.EphemeralKey.create(api_key=KEY, issuing_card="ic_ok")

    def test_a_key_that_is_deleted_is_shown_once_more(self):
        key = self.make_key(self.new_card())
        self.assertEqual(self.client.v1.ephemeral_keys.delete(key.id).id, key.id)
        with self.assertRaises(stripe.InvalidRequestError) as caught:
            self.client.v1.ephemeral_keys.delete("ephkey_nobody")
        self.assertEqual((caught.exception.http_status, caught.exception.code), (404, "resource_missing"))

    def test_a_repeated_idempotency_key_makes_one_key(self):
        repeat, card = str(uuid.uuid4()), self.new_card()
        keys = [self.make_key(card, idempotency_key=repeat) for _ in range(2)]
        self.assertEqual(keys[0].id, keys[1].id)
        self.assertEqual(keys[1].last_response.headers["idempotent-replayed"], "true")
        with self.assertRaises(stripe.IdempotencyError):
            self.make_key(self.new_card(), idempotency_key=repeat)

    def test_a_pushed_card_has_a_token(self):
        card = self.new_card()
        details = self.push(card)
        self.assertEqual(details["object"], "issuing.push_provisioning_details")
        self.assertEqual(details["card"]["id"], card)
        tokens = self.client.v1.issuing.tokens.list({"card": card})
        token = tokens.data[0]
        self.assertIsInstance(token, stripe.issuing.Token)
        self.assertEqual((token.card, token.wallet_provider, token.status), (card, "google_pay", "active"))
        self.assert_known(token)
        self.assertTrue(self.client.v1.issuing.cards.retrieve(card).wallets.primary_account_identifier)

    def test_a_token_is_read_with_its_network_data(self):
        card = self.new_card()
        self.push(card)
        listed = self.client.v1.issuing.tokens.list({"card": card}).data[0]
        read = self.client.v1.issuing.tokens.retrieve(listed.id, {"expand": ["network_data"]})
        self.assertEqual(read.id, listed.id)
        self.assertTrue(read.network_data.visa.token_reference_id)
        self.assertEqual(read.network_data.wallet_provider.suggested_decision, "approve")
        self.assert_known(read)

    def test_a_token_is_suspended_resumed_and_deleted(self):
        card = self.new_card()
        self.push(card)
        tokens = self.client.v1.issuing.tokens
        token = tokens.list({"card": card}).data[0]
        for status in ["suspended", "active", "deleted"]:
            changed = tokens.update(token.id, {"status": status})
            self.assertEqual((changed.id, changed.status), (token.id, status))
            self.assertEqual(tokens.retrieve(token.id).status, status)
            self.assert_known(changed)
        with self.assertRaises(stripe.InvalidRequestError):
            tokens.update(token.id, {"status": "active"})

    def test_the_vectors_of_the_webhook_tests_are_the_librarys(self):
        for vector in json.loads((pathlib.Path(__file__).parent / "webhook_vectors.json").read_text()):
            with self.subTest(vector["name"]):
                body = base64.b64decode(vector["body"]).decode()
                header = vector["headers"]["stripe-signature"]
                self.assertTrue(stripe.WebhookSignature.verify_header(body, header, vector["secret"], None))
                with self.assertRaises(stripe.SignatureVerificationError):
                    stripe.WebhookSignature.verify_header(body + " ", header, vector["secret"], None)

    def test_tokens_come_page_by_page_and_the_newest_first(self):
        card = self.new_card()
        for _ in range(3):
            self.push(card)
        page = self.client.v1.issuing.tokens.list({"card": card, "limit": 2})
        self.assertEqual((len(page.data), page.has_more), (2, True))
        tokens = list(page.auto_paging_iter())
        self.assertEqual(len({token.id for token in tokens}), 3)
        moments = [token.created for token in tokens]
        self.assertEqual(moments, sorted(moments, reverse=True))
        last = moments[-1]
        since = self.client.v1.issuing.tokens.list({"card": card, "created": {"gte": last}})
        self.assertEqual(len(since.data), 3)
        self.assertEqual(self.client.v1.issuing.tokens.list({"card": card, "created": {"lt": last}}).data, [])

    def test_every_refusal_is_one_that_the_client_knows(self):
        refusals = [
            ("nobody", stripe.InvalidRequestError, 400, "resource_missing"),
            ("ratelimited", stripe.RateLimitError, 429, "rate_limit"),
            ("locked", stripe.RateLimitError, 429, "lock_timeout"),
            ("declined", stripe.CardError, 402, "card_declined"),
            ("forbidden", stripe.PermissionError, 403, None),
            ("error", stripe.APIError, 500, None),
        ]
        for name, kind, status, code in refusals:
            with self.subTest(name), self.assertRaises(kind) as caught:
                self.make_key(f"ic_{name}")
            self.assertEqual(caught.exception.http_status, status)
            self.assertTrue(caught.exception.request_id)
            self.assertEqual(caught.exception.error.to_dict().get("code"), code)

    def test_a_proxys_page_is_no_answer(self):
        with self.assertRaises(stripe.APIError) as caught:
            self.make_key("ic_unavailable")
        self.assertEqual((caught.exception.http_status, caught.exception.error), (503, None))

    def test_whether_to_try_again_is_said(self):
        with self.assertRaises(stripe.APIError) as caught:
            self.make_key("ic_finalerror")
        self.assertEqual(caught.exception.headers["stripe-should-retry"], "false")
        with self.assertRaises(stripe.RateLimitError) as caught:
            self.make_key("ic_ratelimited")
        self.assertEqual(caught.exception.headers["retry-after"], "7")

    def test_the_client_repeats_a_conflict_and_gets_its_key(self):
        again = stripe.StripeClient(KEY, base_addresses={"api": URL}, max_network_retries=1)
        self.assertTrue(self.make_key("ic_conflict", again).secret)

    def test_an_unknown_parameter_is_named(self):
        with self.assertRaises(stripe.InvalidRequestError) as caught:
            self.client.v1.ephemeral_keys.create({"issuing_card": "ic_ok", "nonce": "n"}, {"stripe_version": VERSION})
        self.assertEqual((caught.exception.code, caught.exception.param), ("parameter_unknown", "nonce"))

    def test_another_key_is_refused(self):
        with self.assertRaises(stripe.AuthenticationError):
            client("sk_test_wrong").v1.issuing.cards.retrieve("ic_ok")

    def test_another_account_is_refused(self):
        own = client(stripe_account="acct_Laboratory").v1.issuing.cards.retrieve("ic_ok")
        self.assertEqual(own.id, "ic_ok")
        with self.assertRaises(stripe.PermissionError) as caught:
            client(stripe_account="acct_nobody").v1.issuing.cards.retrieve("ic_ok")
        self.assertEqual(caught.exception.error.code, "account_invalid")

    def test_a_key_opens_its_version_alone(self):
        with self.assertRaises(stripe.InvalidRequestError):
            self.push(self.new_card(), version="2019-09-09")

    def test_a_missing_card_or_token_is_not_found(self):
        for read in [self.client.v1.issuing.cards.retrieve, self.client.v1.issuing.tokens.retrieve]:
            with self.assertRaises(stripe.InvalidRequestError) as caught:
                read("nobody")
            self.assertEqual((caught.exception.http_status, caught.exception.code), (404, "resource_missing"))
