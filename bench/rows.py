"""The rows of the table. Each measures on a stage, and answers what it found: one or more targets, with notes."""

import dataclasses
import json
import os
import shutil
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

import bench
import postgres
from bench import LOAD_CORE, PEERS, ROOT, SERVER_CORE, Unmeasurable

PUSH = f"/cards/{bench.CARD_AT_INCREASE}/push_provision"
PROVISION = "/v1/cards/{card}/provisionings"
D1_ORDER = {"wallet": "apple_pay", "accept": ["d1_authorization"], "cardholder": {"id": "{holder}"}}


@dataclasses.dataclass
class Target:
    """One line of the results. A value may have a goal, which it has to reach, or stay below."""
    name: str
    goal: float | None = None
    is_limit: bool = False
    value: float | None = None
    least: float | None = None
    most: float | None = None
    reason: str | None = None
    holds: bool = True

    def of(self, values, holds=True):
        self.value, self.least, self.most = statistics.median(values), min(values), max(values)
        self.holds = holds
        return self

    @property
    def met(self):
        if self.value is None or self.goal is None:
            return None
        return self.holds and (self.value <= self.goal if self.is_limit else self.value >= self.goal)


@dataclasses.dataclass
class Row:
    """What one command measures: a group of targets, and the words that explain it."""
    name: str
    targets: list
    measure: object
    about: str


@dataclasses.dataclass
class Run:
    """One invocation: the stage, its length, what is measured once for several rows, and what was said."""
    stage: bench.Bench
    is_quick: bool
    notes: list = dataclasses.field(default_factory=list)
    found: dict = dataclasses.field(default_factory=dict)
    gateway: object = None

    def note(self, text):
        self.notes.append(text)
        print(f"  {text}", flush=True)

    def main_gateway(self):
        """The process of the gateway that most rows share."""
        if self.gateway is None:
            self.gateway = self.stage.set_up()
        return self.gateway


def show(run, number, name, result):
    busy = f"   load core {result['load_core_busy']:4.0%} busy" if "load_core_busy" in result else ""
    run.note(f"round {number + 1}  {name:28} {result['rate']:9.0f} /s   p50 {result['p50_ms']:7.2f} ms   "
             f"p99 {result['p99_ms']:7.2f} ms{busy}")


def alternate(run, contenders, seconds=None):
    """Runs each contender once in every round, after a short warm-up; answers the rates by name."""
    seconds = seconds or run.stage.seconds
    rates = {name: [] for name in contenders}
    for load in contenders.values():
        load(1)
    for number in range(run.stage.rounds):
        for name, load in contenders.items():
            result = load(seconds)
            rates[name].append(result["rate"])
            show(run, number, name, result)
    return rates


def ratios(ours, theirs):
    return [a / b for a, b in zip(ours, theirs)]


# Apple Pay in app through Increase, beside a relay and beside the same route in other languages

def ready(command, *arguments, **options):
    path = shutil.which(command)
    if path is None:
        raise Unmeasurable(f"{command} is not installed")
    return subprocess.run([path, *map(str, arguments)], **options)


def peer_command(name, port):
    PEERS.mkdir(exist_ok=True)
    peers = ROOT / "bench" / "peers"
    if name == "go":
        environment = {**os.environ, "GOCACHE": str(PEERS / "go-cache"), "GO111MODULE": "off"}
        if ready("go", "build", "-o", PEERS / "peer-go", peers / "peer.go", env=environment).returncode:
            raise Unmeasurable("the Go peer cannot be built")
        return [PEERS / "peer-go"]
    if name == "node":
        ready("node", "--version", capture_output=True)
        return [shutil.which("node"), peers / "peer.mjs"]
    return [venv() / "bin" / "python", "-m", "uvicorn", "--app-dir", peers, "peer:app", "--port", port,
            "--no-access-log", "--log-level", "warning"]


def venv():
    """The virtual environment of the FastAPI peer, made once for each list of requirements."""
    place, wanted = PEERS / "venv", (ROOT / "bench" / "peers" / "requirements.txt").read_text() + sys.version
    stamp = place / "stamp"
    if not stamp.is_file() or stamp.read_text() != wanted:
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r",
               ROOT / "bench" / "peers" / "requirements.txt"]
        if subprocess.run(pip).returncode:
            raise Unmeasurable("the FastAPI peer's packages cannot be installed")
        stamp.write_text(wanted)
    return place


def one_answer(stage, port):
    """A contender's answer to one provisioning, without what differs from call to call."""
    orders = json.loads((stage.folder / "certificates.json").read_text())
    answer = stage.call(port, "POST", PROVISION.replace("{card}", "card_7"), {
        "wallet": "apple_pay", "channel": "in_app", "accept": ["apple_pay_pass"], "cardholder": {"id": "holder_7"},
        "apple_pay": {"certificates": orders, "nonce": f"Zz{stage.nonces()}000000000", "nonce_signature": "MEUCIQDx"}})
    return {name: value for name, value in answer.items() if name not in ("id", "created_at")}


def start_peer(run, name):
    stage, port = run.stage, bench.free_port()
    environment = {**os.environ, "PORT": str(port), "KEY": stage.key, "GOMAXPROCS": "1", "CARDS": str(stage.cards),
                   "UPSTREAM": f"http://127.0.0.1:{stage.upstream}", "PYTHONDONTWRITEBYTECODE": "1"}
    stage.start(SERVER_CORE, *peer_command(name, port), env=environment)
    bench.wait_for(lambda: bench.answers(f"http://127.0.0.1:{port}/nothing"), f"the peer in {name}")
    ours, theirs = one_answer(stage, stage.gateway), one_answer(stage, port)
    if ours != theirs:
        sys.exit(f"bench: the peer in {name} does not answer as the gateway does:\n{ours}\n{theirs}")
    return port


def apple(run, targets):
    stage = run.stage
    process = run.main_gateway()
    contenders = {}
    for target in targets:
        name = target.name.rpartition("_vs_")[2]
        if name == "nginx_proxy_pass":
            contenders[name] = lambda seconds: stage.load(stage.proxy, PUSH, "-", seconds=seconds)
            continue
        try:
            port = start_peer(run, name)
        except Unmeasurable as problem:
            target.reason = str(problem)
            run.note(f"{name}: {problem}")
            continue
        contenders[name] = lambda seconds, port=port: stage.load(
            port, PROVISION, stage.key, seconds=seconds, cards=stage.cards)

    spent = []

    def ours(seconds):
        before = bench.cpu_seconds(process.pid)
        result = stage.load(stage.gateway, PROVISION, stage.key, seconds=seconds, cards=stage.cards)
        spent.append((bench.cpu_seconds(process.pid) - before) / result["requests"] * 1e6)
        return result

    contenders["passgate"] = ours
    rates = alternate(run, contenders, max(stage.seconds, 2))
    run.found["saturation_per_second"] = statistics.median(rates["passgate"])
    run.found["cpu_microseconds"] = statistics.median(spent[1:])
    run.note(f"the gateway's processor time: {statistics.median(spent[1:]):.0f} µs a request, all threads and the kernel")
    for target in targets:
        if target.reason is None:
            target.of(ratios(rates["passgate"], rates[target.name.rpartition("_vs_")[2]]))


def apple_tls(run, targets):
    stage = run.stage
    stage.import_cards("secure", stage.cards)
    process, port = stage.serve("secure", is_secure=True)
    rates = alternate(run, {
        "nginx_proxy_pass": lambda seconds: stage.load(stage.secure_proxy, PUSH, "-", seconds=seconds),
        "passgate": lambda seconds: stage.load(port, PROVISION, stage.key, seconds=seconds, cards=stage.cards)})
    stage.end(process)
    targets[0].of(ratios(rates["passgate"], rates["nginx_proxy_pass"]))


# Latency

def sync_times(folder, seconds):
    """How long fdatasync takes after one page was written into a file that is there: p50 and p99 in ms."""
    times = []
    path = folder / "page"
    page = os.urandom(4096)
    with open(path, "wb") as file:
        file.write(page)
        file.flush()
        os.fsync(file.fileno())
        end = time.monotonic() + seconds
        while time.monotonic() < end or len(times) < 100:
            os.pwrite(file.fileno(), page, 0)
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return {"rate": len(times) / seconds, "p50_ms": times[len(times) // 2], "p99_ms": times[len(times) * 99 // 100]}


def added_latency(run, targets):
    stage = run.stage
    run.main_gateway()
    if "saturation_per_second" not in run.found:
        stage.load(stage.gateway, PROVISION, stage.key, seconds=1, cards=stage.cards)
        result = stage.load(stage.gateway, PROVISION, stage.key, cards=stage.cards)
        show(run, 0, "passgate at saturation", result)
        run.found["saturation_per_second"] = result["rate"]
    rate = run.found["saturation_per_second"] / 2
    for target in targets:
        target.values = []
    syncs = []
    for number in range(stage.rounds):
        sync = sync_times(stage.folder, min(stage.seconds, 3))
        direct = stage.pace(stage.upstream, PUSH, rate, stage.seconds)
        ours = stage.pace(stage.gateway, PROVISION, rate, stage.seconds, stage.key)
        syncs.append(sync)
        for name, result in (("fdatasync of a page", sync), ("direct call", direct), ("passgate", ours)):
            show(run, number, name, result)
        for target, member in zip(targets, ("p50_ms", "p99_ms")):
            target.values.append(ours[member] - direct[member] - sync[member])
        if not 0.8 < ours["rate"] / rate < 1.2:
            raise Unmeasurable(f"the load tool sent {ours['rate']:.0f} requests/s in place of {rate:.0f}")
    run.found["fdatasync_p50_ms"] = statistics.median(sync["p50_ms"] for sync in syncs)
    run.found["fdatasync_p99_ms"] = statistics.median(sync["p99_ms"] for sync in syncs)
    for target in targets:
        target.of(target.values)


# The other calls

def d1_jwt(run, targets):
    stage = run.stage
    run.main_gateway()

    def sign(seconds):
        out = subprocess.run(
            ["taskset", "-c", str(SERVER_CORE), "openssl", "speed", "-seconds", str(min(seconds, 3)), "ecdsap256"],
            capture_output=True, text=True, check=True).stdout
        line = next(line for line in out.splitlines() if "nistp256" in line)
        rate = float(line.split()[-2])
        return {"rate": rate, "p50_ms": 1000 / rate, "p99_ms": 1000 / rate}

    rates = alternate(run, {
        "openssl speed, signs": sign,
        "passgate": lambda seconds: stage.repeat(
            stage.gateway, "POST", PROVISION, stage.key, json.dumps(D1_ORDER), seconds, stage.checkout_cards)})
    targets[0].of(ratios(rates["passgate"], rates["openssl speed, signs"]))


def facade_read(run, targets):
    stage = run.stage
    run.main_gateway()
    record = stage.call(
        stage.gateway, "POST", "/v1/cards/d1_0/provisionings", {**D1_ORDER, "cardholder": {"id": "holder_0"}})
    path = f"/v1/provisionings/{record['id']}"
    request = urllib.request.Request(
        f"http://127.0.0.1:{stage.gateway}{path}", headers={"Authorization": f"Bearer {stage.key}"})
    with urllib.request.urlopen(request, timeout=5) as response:
        text = response.read().decode()
    port = bench.free_port()
    server = stage.nginx(
        "static", SERVER_CORE,
        f"server {{ listen 127.0.0.1:{port}; location / {{ default_type application/json; return 200 '{text}'; }} }}")
    bench.wait_for(lambda: bench.answers(f"http://127.0.0.1:{port}/"), "nginx")
    run.note(f"the answer has {len(text)} bytes of JSON")
    rates = alternate(run, {
        "nginx static JSON": lambda seconds: stage.repeat(port, "GET", path, seconds=seconds),
        "passgate": lambda seconds: stage.repeat(stage.gateway, "GET", path, stage.key, seconds=seconds)})
    stage.end(server)
    targets[0].of(ratios(rates["passgate"], rates["nginx static JSON"]))


def steady_memory(run, targets):
    """Resident memory under saturation: its last value, and whether it still grows in the second half."""
    stage, seconds, count = run.stage, 10 if run.is_quick else 600, many(run)
    stage.import_cards("memory", count)
    empty = on_disk(stage, "memory")
    process, port = stage.serve("memory")
    samples, is_over = [], threading.Event()

    def watch():
        while not is_over.wait(0.5):
            samples.append(bench.memory(process.pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        result = stage.load(port, PROVISION, stage.key, seconds=seconds, cards=count)
    finally:
        is_over.set()
        watcher.join()
    half = samples[len(samples) // 2:]
    tenth = max(len(samples) // 10, 1)
    middle, last = statistics.median(half[:tenth]), statistics.median(half[-tenth:])
    run.note(f"after {seconds} s and {result['requests']} attempts ({result['rate']:.0f} /s): {last:.1f} MB, at half time "
             f"{middle:.1f} MB, peak {bench.memory(process.pid, 'VmHWM'):.1f} MB")
    if run.is_quick:
        run.note(f"{seconds} s in place of ten minutes: the quick form shows the size, not that it stays")
    stage.end(process)
    run.found["bytes_per_attempt"] = (on_disk(stage, "memory") - empty) / result["requests"]
    run.note(f"an attempt takes {run.found['bytes_per_attempt']:.0f} bytes in the store")
    remove(stage, "memory")
    targets[0].of(half, holds=last <= middle * 1.05)
    targets[0].value = last


# Cards

def many(run):
    return 50_000 if run.is_quick else 1_000_000


def on_disk(stage, name):
    return sum(path.stat().st_size for path in stage.folder.glob(f"{name}.db*"))


def remove(stage, name):
    for path in stage.folder.glob(f"{name}.db*"):
        path.unlink()


def import_command(run, targets):
    count = many(run)
    seconds, peak = run.stage.import_cards("many", count)
    run.found["bytes_per_card"] = on_disk(run.stage, "many") / count
    run.note(f"{count} cards in {seconds:.1f} s; peak resident memory {peak:.0f} MB; "
             f"{run.found['bytes_per_card']:.0f} bytes a card")
    targets[0].of([count / seconds])
    targets[1].of([peak])


def import_route(run, targets):
    stage, count = run.stage, many(run)
    file = stage.cards_file(count)
    process, port = stage.serve("route")
    began = time.monotonic()
    out = subprocess.run(
        ["taskset", "-c", str(LOAD_CORE), "curl", "-sS", "-T", file, "-X", "POST", "-H",
         f"Authorization: Bearer {stage.key}", "-H", "Content-Type: application/x-ndjson", "-H", "Expect:",
         f"http://127.0.0.1:{port}/v1/cards/import"], capture_output=True, text=True, check=True).stdout
    seconds = time.monotonic() - began
    if json.loads(out).get("imported") != count:
        sys.exit(f"bench: {count} cards were to be imported: {out}")
    peak = bench.memory(process.pid, "VmHWM")
    run.note(f"{count} cards in {seconds:.1f} s on one core; peak resident memory {peak:.0f} MB")
    stage.end(process)
    remove(stage, "route")
    targets[0].of([count / seconds])
    targets[1].of([peak])


def store_size(run, targets):
    stage, few, lots = run.stage, 1000, many(run)
    if "bytes_per_card" not in run.found:
        stage.import_cards("many", lots)
    processes = {"many": stage.serve("many")}

    def load(name, count):
        def measure(seconds):
            if name == "few":
                # A new store each time: with a thousand cards, each has had many attempts soon.
                if name in processes:
                    stage.end(processes[name][0])
                    remove(stage, name)
                stage.import_cards(name, count)
                processes[name] = stage.serve(name)
            return stage.load(processes[name][1], PROVISION, stage.key, seconds=seconds, cards=count)
        return measure

    rates = alternate(run, {"1000 cards": load("few", few), f"{lots} cards": load("many", lots)})
    for process, _ in processes.values():
        stage.end(process)
    if run.is_quick:
        run.note(f"{lots} cards in place of 1000000: the quick form")
    targets[0].of(ratios(rates[f"{lots} cards"], rates["1000 cards"]))


# More than one

def two_workers(run, targets):
    if (os.cpu_count() or 1) < 3:
        raise Unmeasurable(
            f"this machine has {os.cpu_count()} cores: two workers take two, and the load tool needs another")
    stage = run.stage
    others = f"2-{os.cpu_count() - 1}"
    contenders = {}
    for name, core, workers in (("one worker", "0", 1), ("two workers", "0,1", 2)):
        stage.import_cards(f"workers-{workers}", stage.cards)
        _, port = stage.serve(f"workers-{workers}", core=core, workers=workers)
        contenders[name] = lambda seconds, port=port: stage.load(
            port, PROVISION, stage.key, seconds=seconds, connections=128, cores=others, cards=stage.cards)
    rates = alternate(run, contenders)
    targets[0].of(ratios(rates["two workers"], rates["one worker"]))


def postgres_instances(run, targets):
    stage = run.stage
    stage.stage()
    cores = f"0-{os.cpu_count() - 1}"
    with postgres.Cluster(stage.folder) as cluster:
        limit, microseconds = cluster.pgbench(min(stage.seconds, 5))
        run.note(f"pgbench, simple updates over 32 connections: {limit:.0f} transactions/s, {microseconds:.0f} µs of the "
                 "server's processor time each")
        run.found["commit_cpu_microseconds"] = microseconds
        targets[2].of([limit])
        stage.import_cards("instance-0", stage.cards, store=cluster.url)
        ports = []
        for number in range(2):
            _, port = stage.serve(f"instance-{number}", core=number % os.cpu_count(), store=cluster.url)
            ports.append(port)

        def both(seconds):
            results, threads = [], []
            for port in ports:
                threads.append(threading.Thread(target=lambda port=port: results.append(
                    stage.load(
                        port, PROVISION, stage.key, seconds=seconds, cores=cores, cards=stage.cards))))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return {"rate": sum(result["rate"] for result in results),
                    "p50_ms": max(result["p50_ms"] for result in results),
                    "p99_ms": max(result["p99_ms"] for result in results)}

        rates = alternate(run, {
            "one instance": lambda seconds: stage.load(
                ports[0], PROVISION, stage.key, seconds=seconds, cores=cores, cards=stage.cards),
            "two instances": both})
    targets[0].of(ratios(rates["two instances"], rates["one instance"]))
    targets[1].of([2 * rate / limit for rate in rates["two instances"]])


APPLE = "apple_in_app_vs_"


def table():
    """Every row, in the order in which they run."""
    return [
        Row("apple_in_app", [
            Target(APPLE + "nginx_proxy_pass", 0.25), Target(APPLE + "go", 1.0), Target(APPLE + "node", 1.5),
            Target(APPLE + "fastapi", 5.0),
        ], apple, "Apple Pay in app through Increase: requests per second, ours to theirs. nginx relays bytes to the "
            "same upstream; the peers in bench/peers are the same route without store and X.509, each on our core."),
        Row("apple_in_app_upstream_tls", [Target("apple_in_app_upstream_tls_vs_nginx_proxy_pass", 0.25)], apple_tls,
            "The same, with TLS to the upstream on both sides."),
        Row("added_latency", [
            Target("added_latency_p50_ms", 0.30, True), Target("added_latency_p99_ms", 1.0, True),
        ], added_latency, "At half of saturation: our p50 and p99, less those of the direct call, less those of "
            "fdatasync of one page on the same disk. Milliseconds; less is better."),
        Row("d1_jwt", [Target("d1_jwt_vs_openssl_speed", 0.40)], d1_jwt,
            "Authorizations for Thales D1 through Checkout.com: requests per second to signs per second of "
            "openssl speed ecdsap256."),
        Row("facade_read", [Target("facade_read_vs_nginx_static_json", 0.40)], facade_read,
            "GET /v1/provisionings/{id} to nginx answering the same bytes from its configuration."),
        Row("memory", [Target("memory_after_ten_minutes_mb", 64, True)], steady_memory,
            "Resident memory in MB after ten minutes at saturation; it must not be more than 5 % above what it was at "
            "half time. Least and most are of the second half."),
        Row("import_command", [Target("import_command_cards_per_second"), Target("import_command_peak_mb")],
            import_command, "passgate cards import of a million cards, on all cores."),
        Row("import_route", [Target("import_route_cards_per_second"), Target("import_route_peak_mb")], import_route,
            "The same through POST /v1/cards/import, on one core."),
        Row("store_size", [Target("store_of_million_cards_vs_thousand", 0.90)], store_size,
            "Apple Pay in app for cards by chance: requests per second with a million cards in the store to those with "
            "a thousand."),
        Row("two_workers", [Target("two_workers_vs_one", 1.8)], two_workers,
            "Two workers on two cores to one worker on one, the load tool on the others."),
        Row("postgres", [
            Target("postgres_two_instances_vs_one"), Target("postgres_commits_vs_pgbench"),
            Target("pgbench_transactions_per_second"),
        ], postgres_instances, "Two gateways on one PostgreSQL to one; and the commits of two, two an attempt, to the "
            "simple updates of pgbench. Database, load tool and gateways share the machine's cores."),
    ]
