"""A gateway beside the sandbox, on loopback and free ports, in a folder of its own."""

import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time

BINARIES = pathlib.Path(os.environ["BINARIES"])
KEY = "pgk_everything_in_rides_invented_for_these_tests"
BOTH = "pgk_everything_in_both_programs_invented_for_these"
READER = "pgk_reads_cards_and_nothing_else_invented_for_them"
SCOPES = [
    "cards:read", "cards:write", "provisioning:read", "provisioning:write", "tokens:read", "tokens:write",
    "events:read", "events:write", "switching:write"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class House:
    """Both programs have a connection to every processor that the sandbox plays."""

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self.log = stack.enter_context((self.folder / "log").open("w+"))
            sandbox = self._start(stack, [BINARIES / "passgate-lab", "sandbox", "--port", "0", "--json"], True)
            overview = json.loads(sandbox.stdout.readline())
            self.sandbox = overview["url"]
            self.port = free_port()
            (self.folder / "passgate.yaml").write_text(self._configuration(overview["emulators"]))
            self.gateway = self._start(stack, [BINARIES / "passgate", "serve", "--config", "passgate.yaml"])
            self._wait()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def is_running(self):
        return self.gateway.poll() is None

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def _start(self, stack, words, is_read=False):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if is_read else self.log, stderr=self.log,
            cwd=self.folder, env=environment)

        def end():
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)
            if process.stdout:
                process.stdout.close()

        stack.callback(end)
        return process

    def _configuration(self, emulators):
        lines = [
            f'public_url: "{self.url}"', f'server: {{ listen: "127.0.0.1:{self.port}", workers: 1, drain_delay_ms: 1 }}',
            'admin: { listen: "127.0.0.1:0" }', 'store: "sqlite:passgate.db"', f'root_secrets: ["{"0f" * 32}"]',
            "event_destinations: { allow_private: true }", "limits: { provisionings_per_card_per_minute: 1000000 }",
            "connections:"]
        names = []
        for emulator in emulators:
            name = f"{emulator['connection']['provider']}_sandbox"
            names.append(name)
            lines.append(f"  {name}:")
            for key, value in emulator["connection"].items():
                # A list, a mapping or a truth is YAML already; all else is a text.
                is_yaml = value[:1] in "[{" or value in ("true", "false")
                lines.append(f"    {key}: {value if is_yaml else json.dumps(value)}")
            for file, contents in emulator["files"].items():
                (self.folder / file).write_text(contents)
                (self.folder / file).chmod(0o600)
        lines.append("programs:")
        for program in ("rides", "travel"):
            lines += [
                f"  {program}:", "    connection: increase_sandbox", f"    connections: [{', '.join(names)}]",
                "    wallets: [apple_pay, google_pay]"]
        scopes = json.dumps(SCOPES)
        lines += [
            "api_keys:", f"  - {{ name: backend, key: {KEY}, scopes: {scopes}, programs: [rides] }}",
            f"  - {{ name: operator, key: {BOTH}, scopes: {scopes} }}",
            f'  - {{ name: reader, key: {READER}, scopes: ["cards:read"], programs: [rides] }}']
        return "\n".join(lines) + "\n"

    def _wait(self):
        end = time.monotonic() + 20
        while True:
            with contextlib.suppress(OSError):
                connection = self.connect()
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return
            if time.monotonic() > end or not self.is_running:
                self.log.flush()
                raise AssertionError("the gateway does not serve: " + (self.folder / "log").read_text())
            time.sleep(0.05)
