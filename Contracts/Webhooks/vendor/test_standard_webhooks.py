"""The Standard Webhooks library, against the vectors that the gateway's signatures are tested with."""

import base64
import datetime
import json
import pathlib
import unittest

import standardwebhooks

VECTORS = json.loads((pathlib.Path(__file__).parent / "webhook_vectors.json").read_text())


class StandardWebhooks(unittest.TestCase):
    def test_the_vectors_are_the_librarys(self):
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                moment = datetime.datetime.fromtimestamp(vector["timestamp"], tz=datetime.timezone.utc)
                signatures = [
                    standardwebhooks.Webhook(secret).sign(
                        msg_id=vector["headers"]["webhook-id"], timestamp=moment,
                        data=base64.b64decode(vector["body"]).decode())
                    for secret in vector["secrets"]]
                self.assertEqual(" ".join(signatures), vector["headers"]["webhook-signature"])

    def test_each_secret_verifies_what_two_signed(self):
        vector = next(vector for vector in VECTORS if len(vector["secrets"]) == 2)
        now = str(int(datetime.datetime.now(tz=datetime.timezone.utc).timestamp()))
        body = base64.b64decode(vector["body"]).decode()
        moment = datetime.datetime.fromtimestamp(int(now), tz=datetime.timezone.utc)
        signatures = [
            standardwebhooks.Webhook(secret).sign(msg_id="evt_1", timestamp=moment, data=body)
            for secret in vector["secrets"]]
        headers = {"webhook-id": "evt_1", "webhook-timestamp": now, "webhook-signature": " ".join(signatures)}
        for secret in vector["secrets"]:
            self.assertEqual(standardwebhooks.Webhook(secret).verify(body, headers), json.loads(body))


if __name__ == "__main__":
    unittest.main()
