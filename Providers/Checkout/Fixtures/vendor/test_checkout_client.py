"""Checkout.com's own Python client, against the emulator: does it believe what the emulator says?"""

import json
import logging
import os
import unittest
import uuid
import warnings

import requests
from checkout_sdk.checkout_sdk import CheckoutSdk
from checkout_sdk.environment import Environment
from checkout_sdk.exception import CheckoutApiException, CheckoutAuthorizationException, CheckoutException
from checkout_sdk.oauth_scopes import OAuthScopes

URL = os.environ["EMULATOR_URL"]
CONNECTION = json.loads(os.environ["EMULATOR_CONNECTION"])
CARDHOLDER = "crh_simulated00000000000000000"


class PlainSession:
    """A session that never tries again."""

    def __init__(self, test):
        self.test = test

    def get_client(self):
        session = requests.Session()
        self.test.addCleanup(session.close)
        return session


class CheckoutClient(unittest.TestCase):
    def setUp(self):
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)

    def client(self, secret=CONNECTION["client_secret"], scopes=(OAuthScopes.ISSUING_CARD_MANAGEMENT_READ,)):
        """A client, which gets its access token at once. The shared hosts' switch is what takes hosts of our own."""
        environment = Environment.sandbox()
        environment.base_uri = URL + "/"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return (
                CheckoutSdk.builder().oauth().use_legacy_domain()
                .client_credentials(CONNECTION["client_id"], secret).environment(environment)
                .authorization_uri(CONNECTION["access_url"]).scopes(list(scopes))
                .http_client_builder(PlainSession(self)).build().issuing)

    def card(self, word):
        return "crd_" + word + "0" * (26 - len(word))

    def refusal(self, read, *arguments):
        with self.assertRaises(CheckoutApiException) as caught:
            read(*arguments)
        self.assertTrue(caught.exception.request_id.startswith("req_"))
        return caught.exception

    def test_a_card_is_read(self):
        card_id = "crd_ok" + uuid.uuid4().hex[:24]
        card = self.client().get_card_details(card_id)
        self.assertEqual((card.id, card.status, card.cardholder_id), (card_id, "active", CARDHOLDER))
        self.assertEqual((card.type, card.scheme, len(card.last_four)), ("virtual", "mastercard", 4))
        self.assertEqual(card.http_metadata.status_code, 200)

    def test_a_card_says_its_status(self):
        client = self.client()
        for word in ["inactive", "suspended", "revoked"]:
            self.assertEqual(client.get_card_details(self.card(word)).status, word)

    def test_a_cardholder_and_the_cards_are_read(self):
        client = self.client()
        card_id = "crd_ok" + uuid.uuid4().hex[:24]
        client.get_card_details(card_id)
        self.assertEqual(client.get_cardholder(CARDHOLDER).id, CARDHOLDER)
        self.assertIn(card_id, [card.id for card in client.get_cardholder_cards(CARDHOLDER).cards])
        foreign = client.get_card_details(self.card("foreign"))
        self.assertNotEqual(foreign.cardholder_id, CARDHOLDER)

    def test_either_reading_scope_is_enough(self):
        for scope in [OAuthScopes.ISSUING_CARD_MANAGEMENT_READ, OAuthScopes.ISSUING_CARD_MGMT]:
            self.assertEqual(self.client(scopes=[scope]).get_card_details(self.card("ok")).status, "active")

    def test_wrong_credentials_and_scopes_get_no_token(self):
        with self.assertRaisesRegex(CheckoutAuthorizationException, r"\(invalid_client\)"):
            self.client(secret="another")
        with self.assertRaisesRegex(CheckoutAuthorizationException, r"\(invalid_scope\)"):
            self.client(scopes=["vault"])

    def test_a_token_without_the_scope_is_forbidden(self):
        writer = self.client(scopes=[OAuthScopes.ISSUING_CARD_MANAGEMENT_WRITE])
        refusal = self.refusal(writer.get_card_details, self.card("ok"))
        self.assertEqual(refusal.http_metadata.status_code, 403)
        self.assertEqual((refusal.error_type, refusal.error_details), ("forbidden", ["insufficient_scope"]))

    def test_a_token_that_has_ended_is_refused_and_a_new_one_is_taken(self):
        first = self.refusal(self.client().get_card_details, self.card("stale"))
        self.assertEqual((first.http_metadata.status_code, first.error_details), (401, None))
        self.assertEqual(self.client().get_card_details(self.card("stale")).status, "active")

    def test_every_refusal_has_its_status_and_names_its_request(self):
        client = self.client()
        for word, status, kind in [
            ("nobody", 404, None), ("notoken", 401, None), ("noaccess", 403, "forbidden"), ("conflict", 409, None),
            ("ratelimited", 429, None), ("error", 500, "internal_error"),
        ]:
            with self.subTest(word):
                refusal = self.refusal(client.get_card_details, self.card(word))
                self.assertEqual((refusal.http_metadata.status_code, refusal.error_type), (status, kind))
        self.assertEqual(self.refusal(client.get_card_details, "card-1").http_metadata.status_code, 404)
        self.assertEqual(self.refusal(client.get_digital_card, self.card("ok")).http_metadata.status_code, 404)

    def test_a_rate_limit_says_how_long(self):
        refusal = self.refusal(self.client().get_card_details, self.card("ratelimited"))
        self.assertEqual(refusal.http_metadata.headers["Retry-After"], "7")

    def test_a_connection_that_is_reset_is_no_answer(self):
        with self.assertRaises(CheckoutException) as caught:
            self.client().get_card_details(self.card("reset"))
        self.assertNotIsInstance(caught.exception, CheckoutApiException)

    def test_a_digital_card_is_no_card(self):
        refusal = self.refusal(self.client().get_digital_card, "dcr_nobody")
        self.assertEqual(refusal.http_metadata.status_code, 404)
