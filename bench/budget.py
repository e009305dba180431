"""Counts the instructions that one request takes, and holds them to bench/budget.json.

usage: budget.py [--write]

A gateway in release mode runs under callgrind, which counts nearly the same on every machine, busy or not. For each row a
gateway of its own is asked one thing after the other over one kept connection, each time about another card, first some
times that are not counted. What the gateway does by the clock meanwhile is counted apart, and taken off. A row above its
budget by more than the margin fails; --write takes what is counted as the new budget.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import bench
import pace
import rows

BUDGET = bench.ROOT / "bench" / "budget.json"
WARM_UP, BATCHES, COUNTED, IDLE_SECONDS = 30, 3, 30, 1
# A minute after an attempt, or little less, the gateway begins to ask what became of it.
QUIET_SECONDS = 45
MARGIN_PERCENT = 8


class CountedGateway:
    """A gateway under callgrind, and the requests that go to it."""

    def __init__(self, stage):
        self.stage = stage
        # Without the source lines, which valgrind would read for a minute.
        stripped = stage.folder / "passgate"
        subprocess.run(["strip", "-g", "-o", stripped, bench.PASSGATE], check=True)
        self.out = stage.folder / "callgrind"
        stage.cards, stage.checkout_cards = 2000, 1000
        stage.import_cards("passgate", stage.cards, stage.checkout_cards)
        configuration = stage.configuration("passgate", stage.gateway, stage.admin)
        self.process = stage.start(
            f"0-{os.cpu_count() - 1}", "valgrind", "--tool=callgrind", f"--callgrind-out-file={self.out}",
            "--instr-atstart=no", stripped, "serve", "--config", configuration,
            # Swift's tables would be laid out anew in every process.
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"})
        bench.wait_for(lambda: bench.answers(f"http://127.0.0.1:{stage.gateway}/readyz"), "the gateway", 180)

    def control(self, *arguments):
        subprocess.run(["callgrind_control", *arguments, str(self.process.pid)], check=True, capture_output=True)

    def count(self, work):
        """Instructions of the whole process since the last count, and seconds, while something is done."""
        began = time.monotonic()
        work()
        seconds = time.monotonic() - began
        self.control("-d")
        dumps = sorted(self.out.parent.glob("callgrind.*"), key=lambda path: int(path.suffix[1:]))
        return int(re.search(r"^totals: (\d+)", dumps[-1].read_text(), re.M)[1]), seconds

    def per_request(self, request):
        self.control("-i", "on")
        connection, began = pace.connect(self.stage.gateway), time.monotonic()

        def ask(times):
            for _ in range(times):
                pace.ask(connection, request())

        self.count(lambda: ask(WARM_UP))
        batches = [self.count(lambda: ask(COUNTED)) for _ in range(BATCHES)]
        idle, idle_seconds = self.count(lambda: time.sleep(IDLE_SECONDS))
        connection.close()
        if time.monotonic() - began > QUIET_SECONDS:
            sys.exit("budget: this machine is too busy: the gateway's other work has been counted with the requests")
        # What disturbs a batch only ever adds to it.
        return round(min(total - idle * seconds / idle_seconds for total, seconds in batches) / COUNTED)


def apple(stage):
    orders = pace.Orders(
        "/v1/cards/{card}/provisionings", stage.key, (stage.folder / "certificates.json").read_text(), stage.nonces(),
        stage.cards, itertools.cycle)
    return orders.next


def head(stage):
    return f"Host: 127.0.0.1\r\nAuthorization: Bearer {stage.key}\r\n"


def d1(stage):
    numbers = itertools.cycle(range(stage.checkout_cards))

    def request():
        number = next(numbers)
        body = json.dumps({**rows.D1_ORDER, "cardholder": {"id": f"holder_{number}"}})
        return (f"POST /v1/cards/d1_{number}/provisionings HTTP/1.1\r\n{head(stage)}Content-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}").encode()

    return request


def read(stage):
    record = stage.call(
        stage.gateway, "POST", "/v1/cards/d1_0/provisionings", {**rows.D1_ORDER, "cardholder": {"id": "holder_0"}})
    request = f"GET /v1/provisionings/{record['id']} HTTP/1.1\r\n{head(stage)}\r\n".encode()
    return lambda: request


# What is sent in each row, as bytes, one call for each request.
ROWS = {"apple_in_app_through_increase": apple, "d1_jwt_through_checkout": d1, "facade_read": read}


def measure(make_request):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="passgate-budget-", dir=bench.ROOT / ".build"))
    stage = bench.Bench(folder, 1, 1)
    try:
        gateway = CountedGateway(stage)
        return gateway.per_request(make_request(stage))
    finally:
        stage.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(prog="bench/budget.py", description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="take what is counted as the new budget")
    options = parser.parse_args()
    budget = json.loads(BUDGET.read_text()) if BUDGET.exists() else {"instructions_per_request": {}}
    margin = budget.get("margin_percent", MARGIN_PERCENT)
    for command in ("valgrind", "callgrind_control", "strip"):
        if shutil.which(command) is None:
            sys.exit(f"budget: {command} is not installed")
    counted = {name: measure(make_request) for name, make_request in ROWS.items()}
    wrong = []
    for name, count in counted.items():
        allowed = budget["instructions_per_request"].get(name)
        change = None if allowed is None else (count - allowed) / allowed * 100
        print(f"budget: {name:32} {count:9} instructions a request"
              + ("" if change is None else f", {change:+.1f} % of the budget of {allowed}"))
        if change is None or change > margin:
            wrong.append(name)
        elif change < -margin and not options.write:
            print("budget: so far below it, a budget holds little: make budget-write")
    if options.write:
        BUDGET.write_text(json.dumps(
            {"margin_percent": margin, "instructions_per_request": counted}, indent=2) + "\n")
        print(f"budget: written to bench/{BUDGET.name}")
    elif wrong:
        sys.exit(f"budget: more than {margin} % above, or without a budget: {', '.join(wrong)}. Where that is meant: "
                 "make budget-write")


if __name__ == "__main__":
    main()
