"""The stage of every measurement: servers on cores of their own, certificates, a gateway whose store lies on a disk.

The server under test has one core to itself, the gateway with its writer thread and all; the load tool and whoever plays
the processor share the other. What is not under test at the moment is idle. Everything listens on loopback and is
stopped at the end.
"""

import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASSGATE = ROOT / ".build" / "release" / "passgate"
PEERS = ROOT / ".build" / "bench-peers"
SERVER_CORE, LOAD_CORE = 0, 1
CARD_AT_INCREASE = "sandbox_card_bench0001"
ANSWERS = {
    "/": {
        "channel": "apple_pay_in_app",
        "apple_pay_in_app": {
            "activation_data": "TUJQQUMtMS1GSy0xMjM0NTYuMS0tVERFQS0xMjM0NTYuMQ==",
            "encrypted_pass_data": "A" * 640,
            "encryption_version": "EV_ECC_v2",
            "ephemeral_public_key": "BA" + "A" * 85 + "=",
        },
    },
    "/connect/token": {
        "access_token": "bench", "token_type": "Bearer", "expires_in": 3600, "scope": "issuing:card-management-read"},
    "/digital_wallet_tokens": {"data": [], "next_cursor": None},
    "/issuing/cards/": {"id": "crd_" + "0" * 26, "cardholder_id": "crh_" + "h" * 26, "status": "active"},
}


class Unmeasurable(Exception):
    """A row cannot be measured on this machine or with this build; the text says why."""


def built():
    if not PASSGATE.exists():
        sys.exit("bench: build first: swift build -c release --static-swift-stdlib --product passgate")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(check, what, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return
        time.sleep(0.05)
    sys.exit(f"bench: {what} did not come up within {seconds} s")


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=1) as response:
            return response.status < 500
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def cpu_seconds(pid):
    """The processor time of a process and all its threads so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid, member="VmRSS"):
    """Resident memory of a process in MB, now or (VmHWM) at its peak."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{member}:\s+(\d+) kB", text)[1]) * 1024 / 1e6


class Bench:
    # How many cards attempts are spread over. A card is added to a wallet a few times in its life: a run that adds one
    # card thousands of times an hour would measure what nobody has.
    cards, checkout_cards = 20_000, 5_000

    def __init__(self, folder, seconds, rounds):
        self.folder, self.seconds, self.rounds = folder, seconds, rounds
        self.started = []
        self.upstream, self.secure_upstream, self.proxy, self.secure_proxy, self.gateway, self.admin = (
            free_port() for _ in range(6))
        self.key = "pgk_" + secrets.token_urlsafe(32)
        self.loads = 0
        self.is_staged = False

    def start(self, core, *command, env=None):
        cores = core if isinstance(core, str) else str(core)
        with open(self.folder / "out.log", "ab") as log:
            process = subprocess.Popen(
                ["taskset", "-c", cores, *map(str, command)], env=env, stdout=log, stderr=subprocess.STDOUT)
        self.started.append(process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process in self.started:
            self.started.remove(process)

    def stop(self):
        for process in reversed(self.started[:]):
            self.end(process)

    def nginx(self, name, core, body):
        path = self.folder / f"{name}.conf"
        logs = self.folder
        path.write_text(
            f"daemon off; worker_processes 1; pid {logs}/{name}.pid; error_log {logs}/{name}.err warn;\n"
            "events { worker_connections 4096; }\n"
            "http { access_log off; keepalive_requests 100000000; client_body_temp_path "
            f"{logs}/{name}.body; proxy_temp_path {logs}/{name}.proxy; fastcgi_temp_path {logs}/{name}.f;"
            f" uwsgi_temp_path {logs}/{name}.u; scgi_temp_path {logs}/{name}.s;\n{body}\n}}\n")
        return self.start(core, shutil.which("nginx") or "/usr/sbin/nginx", "-p", logs, "-c", path)

    def openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def certificates(self):
        """A wallet's chain, the certificate of the processor's TLS, and the key that signs for D1."""
        for name, subject in (("ca", "/CN=Bench Intermediate"), ("leaf", "/CN=Bench Leaf"), ("tls", "/CN=127.0.0.1")):
            self.openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", f"{name}.key")
            self.openssl("req", "-new", "-key", f"{name}.key", "-subj", subject, "-out", f"{name}.csr")
        self.openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", "root.key")
        self.openssl("req", "-x509", "-key", "root.key", "-subj", "/CN=Bench Root", "-days", "30", "-out", "root.crt")
        (self.folder / "tls.ext").write_text("subjectAltName=IP:127.0.0.1\n")
        for name, issuer, extra in (("ca", "root", ()), ("leaf", "ca", ()), ("tls", "root", ("-extfile", "tls.ext"))):
            self.openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{issuer}.crt", "-CAkey", f"{issuer}.key",
                         "-CAcreateserial", "-days", "30", "-out", f"{name}.crt", *extra)
        self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "d1.key")
        texts = []
        for name in ("leaf", "ca"):
            pem = (self.folder / f"{name}.crt").read_text()
            texts.append("".join(line for line in pem.splitlines() if not line.startswith("-----")))
        (self.folder / "certificates.json").write_text(json.dumps(texts))

    def stage(self):
        """Starts who plays the processors, and nginx as the relay beside whom everything is measured."""
        if self.is_staged:
            return
        self.is_staged = True
        self.certificates()
        places = "".join(
            f"location {path} {{ return 200 '{json.dumps(answer, separators=(',', ':'))}'; }}\n"
            for path, answer in ANSWERS.items())
        self.nginx(
            "upstream", LOAD_CORE,
            f"server {{ listen 127.0.0.1:{self.upstream}; listen 127.0.0.1:{self.secure_upstream} ssl;\n"
            f"ssl_certificate tls.crt; ssl_certificate_key tls.key; default_type application/json;\n{places} }}")
        relays = ""
        for name, scheme, here, there in (
                ("plain", "http", self.proxy, self.upstream), ("secure", "https", self.secure_proxy,
                                                               self.secure_upstream)):
            relays += (
                f"upstream {name} {{ server 127.0.0.1:{there}; keepalive 128; keepalive_requests 100000000; }}\n"
                f"server {{ listen 127.0.0.1:{here}; location / {{ proxy_pass {scheme}://{name}; "
                "proxy_http_version 1.1; proxy_set_header Connection \"\"; proxy_ssl_name 127.0.0.1; "
                "proxy_ssl_verify on; proxy_ssl_trusted_certificate root.crt; } }\n")
        self.nginx("proxy", SERVER_CORE, relays)
        for port in (self.upstream, self.proxy, self.secure_proxy):
            wait_for(lambda port=port: answers(f"http://127.0.0.1:{port}/"), "nginx")

    def configuration(self, name, port, admin, workers=1, is_secure=False, store=None):
        increase = f"https://127.0.0.1:{self.secure_upstream}" if is_secure else f"http://127.0.0.1:{self.upstream}"
        path = self.folder / f"{name}.yaml"
        path.write_text(f"""
public_url: "http://127.0.0.1:{port}"
server: {{ listen: "127.0.0.1:{port}", workers: {workers} }}
admin: {{ listen: "127.0.0.1:{admin}" }}
store: "{store or f'sqlite:{self.folder}/{name}.db'}"
root_secrets: ["{'5a' * 32}"]
connections:
  increase_bench:
    {{ provider: increase, environment: test, api_key: "test_key", webhook_secrets: ["bench_secret_0001"],
      base_url: "{increase}", ca: "file:root.crt", in_flight: 4096 }}
  checkout_bench:
    provider: checkout
    environment: test
    client_id: "cli_bench"
    client_secret: "bench_secret_0002"
    base_url: "http://127.0.0.1:{self.upstream}"
    access_url: "http://127.0.0.1:{self.upstream}/connect/token"
    webhook_secrets: ["bench_secret_0003"]
    in_flight: 4096
    d1: {{ issuer_id: "bench", algorithm: ES256, keys: [{{ key_id: "d1api-bench-01", file: "d1.key", active: true }}],
      issuer_url: "https://bench.example/oidc/bench", service_rsa_modulus: "bench", service_rsa_exponent: "010001" }}
programs:
  bench:
    {{ connection: increase_bench, connections: [increase_bench, checkout_bench], display_name: "Bench",
      wallets: [apple_pay], require_cardholder: false }}
api_keys:
  - {{ name: bench, key: "{self.key}", scopes: ["cards:read", "cards:write", "provisioning:write", "provisioning:read"],
      programs: [bench] }}
limits: {{ provisionings_per_card_per_minute: 1000000000 }}
""")
        return path

    def serve(self, name, core=SERVER_CORE, port=None, admin=None, **options):
        """Starts a gateway with a store of its own, and answers its process and port."""
        self.stage()
        built()
        port = port or free_port()
        path = self.configuration(name, port, admin or free_port(), **options)
        process = self.start(core, PASSGATE, "serve", "--config", path)
        wait_for(lambda: answers(f"http://127.0.0.1:{port}/readyz"), "the gateway")
        return process, port

    def call(self, port, method, path, body=None):
        """One call of a gateway's route; answers its JSON."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            sys.exit(f"bench: {method} {path}: {error.code} {error.read().decode()}")

    def cards_file(self, count, checkout_count=0):
        """Cards at Increase, card_0 and so on, and at Checkout.com, d1_0 and so on; one a line."""
        path = self.folder / f"cards-{count}-{checkout_count}.ndjson"
        if not path.exists():
            with path.open("w") as file:
                for number in range(count + checkout_count):
                    at_checkout = number - count
                    binding = {
                        "connection": "increase_bench", "provider_card_id": f"sandbox_card_{number}"
                    } if at_checkout < 0 else {
                        "connection": "checkout_bench", "provider_card_id": f"crd_{at_checkout:026d}"}
                    file.write(json.dumps({
                        "id": f"card_{number}" if at_checkout < 0 else f"d1_{at_checkout}",
                        "binding": {**binding, "last4": f"{number % 10000:04d}", "network": "visa"},
                        "cardholder": {"id": f"holder_{number if at_checkout < 0 else at_checkout}",
                                       "name": "Bea Bench"}}) + "\n")
        return path

    def import_cards(self, name, count, checkout_count=0, store=None):
        """Imports cards into a gateway's store; answers seconds and peak memory in MB. The command has every core."""
        self.stage()
        built()
        configuration = self.configuration(name, 1, 2, store=store)
        file = self.cards_file(count, checkout_count)
        began = time.monotonic()
        process = subprocess.Popen(
            [PASSGATE, "cards", "import", file, "--config", configuration, "--json"], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        out, trouble = process.stdout.read(), process.stderr.read()
        _, _, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        if not out or json.loads(out)["imported"] != count + checkout_count:
            sys.exit(f"bench: cards could not be imported: {out.decode()}{trouble.decode()}")
        return seconds, usage.ru_maxrss * 1024 / 1e6

    def set_up(self):
        """The gateway that most rows are about, with its cards; answers its process."""
        self.import_cards("passgate", self.cards, self.checkout_cards)
        process, _ = self.serve("passgate", port=self.gateway, admin=self.admin)
        self.call(self.gateway, "PUT", "/v1/cards/bench-card", {
            "binding": {"connection": "increase_bench", "provider_card_id": CARD_AT_INCREASE, "last4": "4242",
                        "network": "visa"},
            "cardholder": {"id": "holder-1", "name": "Bea Bench"}})
        return process

    def nonces(self):
        """Five digits that no other run on this stage has: the beginning of its nonces."""
        self.loads += 1
        return f"{self.loads:05d}"

    def wrk(self, script, port, *arguments, connections=64, seconds=None, cores=None):
        command = [
            "taskset", "-c", cores or str(LOAD_CORE), "wrk", "-t1", f"-c{connections}",
            f"-d{seconds or self.seconds}s", "--timeout", "15s",
            "--latency", "-s", str(ROOT / "bench" / script),
            f"http://127.0.0.1:{port}", "--", *map(str, arguments)]
        before, began = idle_seconds(LOAD_CORE), time.monotonic()
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        busy = 1 - (idle_seconds(LOAD_CORE) - before) / (time.monotonic() - began)
        found = re.search(r"RESULT requests=(\d+) micros=(\d+) errors=(\d+) p50=(\d+) p90=(\d+) p99=(\d+)", out)
        if not found:
            sys.exit(f"bench: wrk printed no result:\n{out}")
        requests, micros, errors, p50, p90, p99 = map(int, found.groups())
        if errors:
            sys.exit(f"bench: {errors} of {requests} answers were errors; see {self.folder}/out.log")
        return {"rate": requests / (micros / 1e6), "requests": requests, "p50_ms": p50 / 1000, "p90_ms": p90 / 1000,
                "p99_ms": p99 / 1000, "load_core_busy": max(busy, 0)}

    def load(self, port, path, key, connections=64, seconds=None, cards=0, cores=None):
        """Posts Apple Pay provisionings at saturation, each with a nonce of its own."""
        return self.wrk("apple.lua", port, path, key, self.folder / "certificates.json", self.nonces(), cards,
                        connections=connections, seconds=seconds, cores=cores)

    def repeat(self, port, method, path, key="-", body="-", seconds=None, cards=0):
        """Sends the same request at saturation, for cards by chance where there are any."""
        return self.wrk("same.lua", port, method, path, key, body, cards, seconds=seconds)

    def pace(self, port, path, rate, seconds, key="-"):
        """Posts Apple Pay provisionings at a steady rate, or what Increase takes where no key is given."""
        out = subprocess.run(
            ["taskset", "-c", str(LOAD_CORE), sys.executable, ROOT / "bench" / "pace.py", str(port), path, key,
             self.folder / "certificates.json", self.nonces(), str(self.cards), str(rate), str(seconds)],
            capture_output=True, text=True)
        if out.returncode:
            sys.exit(f"bench: {out.stderr}{out.stdout}")
        return json.loads(out.stdout)


def idle_seconds(core):
    line = next(line for line in open("/proc/stat") if line.startswith(f"cpu{core} "))
    fields = line.split()
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")
