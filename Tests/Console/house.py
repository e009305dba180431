"""A real gateway beside the sandbox, a receiver of events, and traffic whose secrets are known."""

import http.server
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone

BINARIES = pathlib.Path(os.environ["BINARIES"])
OPERATOR = "pgk_operator_invented_for_this_test_0123456789abcdef"
LOOKER = "pgk_looker_invented_for_this_test_alone_0123456789abc"
BACKEND = "pgk_backend_invented_for_this_test_0123456789abcdef0"
# What is sent and must never be seen.
CANARIES = ["canary-wallet", "canary-device", "Canary Lovelace", "invented_for"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def until(condition, what, seconds=20):
    """Waits until something is so. What it is about tells nobody, so it is looked at again and again."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"it never came to this: {what}")
        time.sleep(0.05)


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes events; answers with the status that the test says."""

    status = 410
    taken = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Receiver.taken.append((dict(self.headers), body))
        self.send_response(Receiver.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class House:
    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.programs = []
        self.payloads = []
        self.receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=self.receiver.serve_forever, daemon=True).start()
        self.facade, self.admin = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.admin}/console"
        try:
            self.open()
        except BaseException:
            self.close()
            raise

    def open(self):
        sandbox = self.start("sandbox", ["passgate-lab", "sandbox", "--port", "0", "--json"])
        until(lambda: "emulators" in self.text("sandbox"), "the sandbox serves")
        self.emulators = {one["name"]: one for one in json.loads(self.text("sandbox").splitlines()[0])["emulators"]}
        assert sandbox.poll() is None
        self.configure(isOperatorKnown=True)
        self.gateway = self.start("gateway", ["passgate", "serve", "--config", "passgate.yaml"])
        until(lambda: '"event":"listening"' in self.text("gateway"), "the gateway listens")

    def configure(self, isOperatorKnown):
        connections = {}
        for name in ["increase", "stripe", "imprint"]:
            # What the sandbox tells is YAML; these hold lists of texts, which is JSON too.
            settings = dict(self.emulators[name]["connection"])
            settings["webhook_secrets"] = json.loads(settings["webhook_secrets"])
            connections[f"{name}_test"] = settings
        if "google_pay" in connections["imprint_test"]:
            connections["imprint_test"]["google_pay"] = True
        every = ["cards:read", "cards:write", "provisioning:read", "provisioning:write", "tokens:read", "events:read",
                 "events:write", "switching:write"]
        keys = [
            {"name": "backend", "key": BACKEND, "scopes": every, "programs": ["rides", "travel"]},
            {"name": "night-looker", "key": LOOKER, "programs": ["rides"],
             "scopes": ["admin", "cards:read", "provisioning:read", "events:read"]},
        ]
        if isOperatorKnown:
            keys.append({"name": "night-operator", "key": OPERATOR, "scopes": every + ["admin"]})
        # JSON is YAML.
        (self.folder / "passgate.yaml").write_text(json.dumps({
            "public_url": "https://passgate.example",
            "server": {"listen": f"127.0.0.1:{self.facade}", "workers": 1},
            "admin": {"listen": f"127.0.0.1:{self.admin}"},
            "store": "sqlite:passgate.db", "root_secrets": ["0f" * 32], "connections": connections,
            "programs": {
                "rides": {"connection": "stripe_test", "connections": ["stripe_test", "increase_test"],
                          "display_name": "RocketRides Card"},
                "travel": {"connection": "imprint_test", "display_name": "Travel Card"},
            },
            "api_keys": keys, "event_destinations": {"allow_private": True},
            "limits": {"provisionings_per_card_per_minute": 1000000},
        }))

    def reload(self, isOperatorKnown):
        self.configure(isOperatorKnown)
        seen = self.text("gateway").count('"event":"reloaded"')
        self.gateway.send_signal(signal.SIGHUP)
        until(lambda: self.text("gateway").count('"event":"reloaded"') > seen, "the gateway read its file again")

    def start(self, name, words):
        with (self.folder / f"{name}.log").open("a") as log:
            process = subprocess.Popen(
                [BINARIES / words[0], *words[1:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env={"PATH": os.environ["PATH"], "NO_PROXY": "127.0.0.1"})
        self.programs.append(process)
        return process

    def text(self, name):
        return (self.folder / f"{name}.log").read_text()

    def close(self):
        for process in reversed(self.programs):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.wait(timeout=30)
        self.receiver.shutdown()
        self.receiver.server_close()
        self.temporary.cleanup()

    def ask(self, method, path, document=None, program="rides", expecting=None):
        """Status and document of one call."""
        body = None if document is None else json.dumps(document).encode()
        fields = {"Authorization": f"Bearer {BACKEND}", "Passgate-Program": program}
        if body is not None:
            fields["Content-Type"] = "application/json"
        request = urllib.request.Request(f"http://127.0.0.1:{self.facade}{path}", body, fields, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30) as answer:
                status, text = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        assert expecting is None or status == expecting, (status, text)
        return status, json.loads(text) if text else None

    def card(self, name, connection, provider_card, program="rides"):
        self.ask("PUT", f"/v1/cards/{name}", {
            "binding": {"connection": connection, "provider_card_id": provider_card, "last4": "4242", "network": "visa"},
            "cardholder": {"id": f"holder_{name}", "name": "Canary Lovelace"}}, program, expecting=201)

    def add(self, name, program="rides"):
        """Asks for a provisioning in Google Pay; keeps the payload's texts, which nobody may see again."""
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        status, document = self.ask("POST", f"/v1/cards/{name}/provisionings", {
            "wallet": "google_pay", "accept": ["google_pay_opaque_card", "stripe_ephemeral_key"],
            "client": {"stripe_api_version": "2020-08-27"},
            "cardholder": {"id": f"holder_{name}", "authentication": {"method": "passkey", "authenticated_at": now}},
            "google_pay": {"wallet_id": "canary-wallet", "device_id": "canary-device"}}, program)
        if status == 201:
            self.payloads += [text for text in self.texts(document["handoff"]) if len(text) > 24]
        return status, document

    def texts(self, value):
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            return [text for one in value for text in self.texts(one)]
        return [value] if isinstance(value, str) else []

    def live(self):
        """Cards of three processors, attempts that go well and some that do not, a migration and a destination."""
        for number in range(6):
            self.card(f"stripe_{number}", "stripe_test", f"ic_ok{number}")
            self.card(f"increase_{number}", "increase_test", f"sandbox_card_ok{number}")
            self.ask("PUT", f"/v1/cards/stripe_{number}/bindings/increase_test", {
                "provider_card_id": f"sandbox_card_okstandby{number}", "last4": "1881", "network": "visa",
                "state": "standby"}, expecting=201)
        self.card("canceled", "increase_test", "sandbox_card_canceled")
        self.card("away", "increase_test", "sandbox_card_unavailable")
        _, destination = self.ask(
            "POST", "/v1/event_destinations",
            {"url": f"http://127.0.0.1:{self.receiver.server_port}/hooks"}, expecting=201)
        self.payloads.append(destination["secret"])
        statuses = [self.add(f"{side}_{number}")[0] for number in range(6) for side in ["stripe", "increase"]]
        assert statuses == [201] * 12, statuses
        for name in ["canceled", "away", "away"]:
            status, document = self.add(name)
            assert status >= 400, (name, document)
        for number in range(2):
            told = subprocess.run(
                [BINARIES / "passgate-lab", "try", "--gateway", f"http://127.0.0.1:{self.facade}", "--key", BACKEND,
                 "--program", "rides", "--card", f"increase_{number}", "--cardholder", f"holder_increase_{number}",
                 "--wallet", "apple_pay"],
                capture_output=True, text=True, cwd=self.folder, env={"PATH": os.environ["PATH"]})
            assert told.returncode == 0, told.stdout + told.stderr
        self.migrate(percent=10)
        self.destination = destination["id"]
        self.add("stripe_1")
        until(lambda: self.ask("GET", f"/v1/event_destinations/{self.destination}")[1]["status"] == "disabled",
              "the destination is disabled")

    def migrate(self, percent):
        _, migration = self.ask("POST", "/v1/migrations", {
            "program": "rides", "from": "stripe_test", "to": "increase_test", "mode": "live",
            "cohort": {"percent": percent}, "guard": {"min_attempts": 50, "margin": 0.05, "action": "rollback"},
            "allow_stranded": True}, expecting=201)
        self.migration = migration["id"]
