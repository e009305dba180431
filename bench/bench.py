"""Runs the gateway and nginx side by side on the same cores and prints requests per second as ratios.

The server under test has core 0 to itself; the load tool and the emulated processor share core 1. Runs alternate, so
that a change of the machine's speed hits both. Everything listens on loopback and is stopped by this script.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import secrets
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASSGATE = ROOT / ".build" / "release" / "passgate"
ANSWER = {
    "channel": "apple_pay_in_app",
    "apple_pay_in_app": {
        "activation_data": "TUJQQUMtMS1GSy0xMjM0NTYuMS0tVERFQS0xMjM0NTYuMQ==",
        "encrypted_pass_data": "A" * 640,
        "encryption_version": "EV_ECC_v2",
        "ephemeral_public_key": "BA" + "A" * 85 + "=",
    },
}


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


class Bench:
    def __init__(self, folder, seconds, rounds):
        self.folder, self.seconds, self.rounds = folder, seconds, rounds
        self.started = []
        self.upstream, self.proxy, self.gateway, self.admin = (free_port() for _ in range(4))
        self.key = "pgk_" + secrets.token_urlsafe(32)

    def start(self, core, *command, env=None):
        process = subprocess.Popen(
            ["taskset", "-c", str(core), *map(str, command)],
            env=env, stdout=open(self.folder / "out.log", "ab"), stderr=subprocess.STDOUT)
        self.started.append(process)
        return process

    def stop(self):
        for process in reversed(self.started):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()

    def nginx(self, name, core, body):
        path = self.folder / f"{name}.conf"
        logs = self.folder
        path.write_text(
            f"daemon off; worker_processes 1; pid {logs}/{name}.pid; error_log {logs}/{name}.err warn;\n"
            "events { worker_connections 4096; }\n"
            "http { access_log off; keepalive_requests 100000000; client_body_temp_path "
            f"{logs}/{name}.body; proxy_temp_path {logs}/{name}.proxy; fastcgi_temp_path {logs}/{name}.f;"
            f" uwsgi_temp_path {logs}/{name}.u; scgi_temp_path {logs}/{name}.s;\n{body}\n}}\n")
        return self.start(core, shutil.which("nginx"), "-p", logs, "-c", path)

    def certificates(self):
        def openssl(*arguments):
            subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

        for name, subject in (("ca", "/CN=Bench Intermediate"), ("leaf", "/CN=Bench Leaf")):
            openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", f"{name}.key")
            openssl("req", "-new", "-key", f"{name}.key", "-subj", subject, "-out", f"{name}.csr")
        openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", "root.key")
        openssl("req", "-x509", "-key", "root.key", "-subj", "/CN=Bench Root", "-days", "30", "-out", "root.crt")
        openssl("x509", "-req", "-in", "ca.csr", "-CA", "root.crt", "-CAkey", "root.key", "-CAcreateserial",
                "-days", "30", "-out", "ca.crt")
        openssl("x509", "-req", "-in", "leaf.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
                "-days", "30", "-out", "leaf.crt")
        texts = []
        for name in ("leaf", "ca"):
            pem = (self.folder / f"{name}.crt").read_text()
            texts.append("".join(line for line in pem.splitlines() if not line.startswith("-----")))
        (self.folder / "certificates.json").write_text(json.dumps(texts))

    def set_up(self):
        self.certificates()
        body = json.dumps(ANSWER, separators=(",", ":"))
        self.nginx(
            "upstream", 1,
            f"server {{ listen 127.0.0.1:{self.upstream}; location / {{ default_type application/json; "
            f"return 200 '{body}'; }} }}")
        self.nginx(
            "proxy", 0,
            f"upstream processor {{ server 127.0.0.1:{self.upstream}; keepalive 128; keepalive_requests 100000000; }}\n"
            f"server {{ listen 127.0.0.1:{self.proxy}; location / {{ proxy_pass http://processor; "
            "proxy_http_version 1.1; proxy_set_header Connection \"\"; }} }}".replace("}} }}", "} }"))
        configuration = self.folder / "passgate.yaml"
        configuration.write_text(f"""
public_url: "http://127.0.0.1:{self.gateway}"
server: {{ listen: "127.0.0.1:{self.gateway}", workers: 1 }}
admin: {{ listen: "127.0.0.1:{self.admin}" }}
store: "sqlite:{self.folder}/passgate.db"
root_secrets: ["{secrets.token_hex(32)}"]
connections:
  increase_bench:
    {{ provider: increase, environment: test, api_key: "test_key", webhook_secrets: ["bench_secret_0001"],
      base_url: "http://127.0.0.1:{self.upstream}", in_flight: 4096 }}
programs:
  bench:
    {{ connection: increase_bench, connections: [increase_bench], display_name: "Bench", wallets: [apple_pay],
      require_cardholder: false }}
api_keys:
  - {{ name: bench, key: "{self.key}", scopes: ["cards:read", "cards:write", "provisioning:write", "provisioning:read"],
      programs: [bench] }}
limits: {{ provisionings_per_card_per_minute: 100000000 }}
""")
        self.start(0, PASSGATE, "serve", "--config", configuration)
        wait_for(lambda: answers(f"http://127.0.0.1:{self.gateway}/readyz"), "the gateway")
        wait_for(lambda: answers(f"http://127.0.0.1:{self.proxy}/"), "nginx")
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.gateway}/v1/cards/bench-card", method="PUT",
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
            data=json.dumps({
                "binding": {"connection": "increase_bench", "provider_card_id": "sandbox_card_bench0001",
                            "last4": "4242", "network": "visa"},
                "cardholder": {"id": "holder-1", "name": "Bea Bench"}}).encode())
        with urllib.request.urlopen(request, timeout=5) as response:
            assert response.status == 201, response.status

    def load(self, port, path, key, connections=64, seconds=None):
        start = f"{int(time.time() * 1000) % 10**5:05d}"
        command = [
            "taskset", "-c", "1", "wrk", "-t1", f"-c{connections}", f"-d{seconds or self.seconds}s", "--latency", "-s",
            str(ROOT / "bench" / "apple.lua"), f"http://127.0.0.1:{port}", "--", path, key,
            str(self.folder / "certificates.json"), start]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = re.search(r"RESULT requests=(\d+) micros=(\d+) errors=(\d+) p50=(\d+) p90=(\d+) p99=(\d+)", out)
        if not found:
            sys.exit(f"bench: wrk printed no result:\n{out}")
        requests, micros, errors, p50, p90, p99 = map(int, found.groups())
        if errors:
            sys.exit(f"bench: {errors} of {requests} answers were errors; see {self.folder}/out.log")
        return {"rate": requests / (micros / 1e6), "p50_ms": p50 / 1000, "p90_ms": p90 / 1000, "p99_ms": p99 / 1000}

    def compare(self):
        runs = {"nginx": [], "passgate": []}
        targets = {
            "nginx": (self.proxy, "/cards/sandbox_card_bench0001/push_provision", "-"),
            "passgate": (self.gateway, "/v1/cards/bench-card/provisionings", self.key)}
        for name, target in targets.items():
            self.load(*target, seconds=1)
        for number in range(self.rounds):
            for name, target in targets.items():
                result = self.load(*target)
                runs[name].append(result)
                print(f"  round {number + 1}  {name:9} {result['rate']:9.0f} requests/s   p50 {result['p50_ms']:6.2f} ms"
                      f"   p99 {result['p99_ms']:6.2f} ms", flush=True)
        return runs

    def cards(self, count):
        """Writes a file of cards, and answers its path and size."""
        path = self.folder / "cards.ndjson"
        with path.open("w") as file:
            for number in range(count):
                file.write(json.dumps({
                    "id": f"import-{number}",
                    "binding": {"connection": "increase_bench", "provider_card_id": f"sandbox_card_import{number}",
                                "last4": f"{number % 10000:04d}", "network": "visa"},
                    "cardholder": {"id": f"holder-{number}", "name": "Bea Bench"}}) + "\n")
        return path

    def import_cards(self, count):
        """Imports that many cards with the command, into a store of its own. It has both cores."""
        configuration = self.folder / "import.yaml"
        text = (self.folder / "passgate.yaml").read_text()
        configuration.write_text(text.replace("/passgate.db", "/import.db"))
        file = self.cards(count)
        began = time.monotonic()
        process = subprocess.Popen(
            [PASSGATE, "cards", "import", file, "--config", configuration, "--json"], stdout=subprocess.PIPE)
        out = process.stdout.read()
        _, _, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        report = json.loads(out)
        if report["imported"] != count:
            sys.exit(f"bench: {count} cards were to be imported: {report}")
        return {"cards": count, "seconds": round(seconds, 1), "rate": count / seconds,
                "peak_mib": usage.ru_maxrss / 1024}


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} cores, {platform.platform()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short runs: under a minute after the build")
    options = parser.parse_args()
    if not PASSGATE.exists():
        sys.exit("bench: build first: swift build -c release --static-swift-stdlib --product passgate")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="passgate-bench-", dir=ROOT / ".build"))
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True).stdout.strip()
    if kind in ("tmpfs", "ramfs"):
        sys.exit("bench: the store must stand on a disk, not on tmpfs")
    bench = Bench(folder, *((3, 3) if options.quick else (10, 5)))
    try:
        bench.set_up()
        print("Apple Pay in app through Increase, one worker on one core, 64 connections, durable store on disk")
        runs = bench.compare()
        bench.stop()
        imported = bench.import_cards(50_000 if options.quick else 1_000_000)
    finally:
        bench.stop()
    ratios = [ours["rate"] / theirs["rate"] for ours, theirs in zip(runs["passgate"], runs["nginx"])]
    value = statistics.median(ratios)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    target = {
        "name": "apple_in_app_vs_nginx_proxy_pass", "value": round(value, 3), "goal": 0.25, "met": value >= 0.25,
        "min": round(min(ratios), 3), "max": round(max(ratios), 3), "command": "make bench", "runs": runs}
    results = {"machine": machine(), "commit": commit.stdout.strip(), "targets": [target],
               "import": imported}
    (ROOT / "bench" / "results.json").write_text(json.dumps(results, indent=2) + "\n")
    print(f"\nratio to nginx proxy_pass: {value:.2f} (min {min(ratios):.2f}, max {max(ratios):.2f}; goal 0.25)")
    print(f"import: {imported['rate']:.0f} cards/s, {imported['cards']} cards in {imported['seconds']} s, "
          f"peak resident memory {imported['peak_mib']:.0f} MiB")
    print(f"{results['machine']}; commit {results['commit']}; written to bench/results.json")
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
