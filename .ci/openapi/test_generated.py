"""schemathesis at a gateway beside the sandbox: requests made of the document, and the answers held to it."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

from contract import PATH
from house import BINARIES, KEY, House
from test_traffic import Traffic, fresh

HERE = pathlib.Path(__file__).resolve().parent


class GeneratedTests(unittest.TestCase):
    def test_every_answer_to_a_made_request_is_described(self):
        seed = os.environ["SEED"]
        with House() as house:
            pool = self.furnish(Traffic(house))
            words = [
                pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", HERE / "schemathesis.toml", "run",
                PATH, "--url", house.url, "--seed", seed, "--header", f"Authorization: Bearer {KEY}", "--no-color"]
            environment = {
                **os.environ, "POOL": json.dumps(pool), "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE)}
            run = subprocess.run(words, env=environment, cwd=house.folder, timeout=540)
            self.assertEqual(run.returncode, 0, f"again with: make openapi SEED={seed}")
            self.assertTrue(house.is_running)
            self.assertEqual(Traffic(house).ask("readReadiness", 200), {"status": "ready"})

    def furnish(self, traffic):
        """What requests can be about."""
        traffic.ask("putCard", 201, "new", card="card_1")
        traffic.ask("importCards", 200, "lines")
        for provider, identifier in (("checkout", "crd_ok000000000000000000000000"), ("stripe", "ic_ok1")):
            binding = {"connection": f"{provider}_sandbox", "provider_card_id": identifier, "last4": "4242", "network": "visa"}
            holder = {"id": "user_1", "name": "Ada Lovelace"}
            traffic.ask("putCard", 201, {"binding": binding, "cardholder": holder}, card=f"card_{provider}")
        attempts = [
            traffic.ask("createProvisioning", 201, fresh(traffic.example("createProvisioning", "google_pay")), card="card_1")
            for _ in range(2)]
        traffic.ask("reportOutcome", 202, "added", id=attempts[0]["id"])
        subprocess.run(
            [BINARIES / "passgate-lab", "trigger", "issuing_token.created", "--card", "ic_ok1",
             "--sandbox", traffic.house.sandbox, "--to", f"{traffic.house.url}/v1/inbound/stripe_sandbox"],
            check=True, stdout=subprocess.DEVNULL)
        tokens = traffic.ask("listTokens", 200, card="card_stripe")["data"]
        events = traffic.ask("listEvents", 200)["data"]
        destination = traffic.ask("createEventDestination", 201, {"url": "http://127.0.0.1:9/events"})
        migration = traffic.ask("openMigration", 201, "live")
        traffic.ask("rollBackMigration", 200, id=migration["id"])
        other = traffic.ask("openMigration", 201, "live")
        spare = [f"spare_{number}" for number in range(9)]
        for card in spare:
            binding = {"connection": "increase_sandbox", "provider_card_id": f"sandbox_card_ok{card[6:]}x", "last4": "1881",
                       "network": "visa"}
            traffic.ask("putCard", 201, {"binding": binding, "cardholder": {"id": "user_2", "name": "Ada"}}, card=card)
        self.assertEqual(traffic.faults, [])
        return {
            "card": ["card_1", "card_7", "card_checkout", "card_stripe"], "cardholder": ["user_1", "user_7"],
            "connection": ["increase_sandbox", "stripe_sandbox"], "provisioning": [one["id"] for one in attempts],
            "token": [one["id"] for one in tokens], "event": [one["id"] for one in events],
            "destination": [destination["id"]], "migration": [migration["id"], other["id"]], "spare": spare}
