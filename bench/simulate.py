"""Reckons what many provisionings a second take, from measured costs, and simulates where it stops first.

usage: simulate.py [--write | --check]

bench/measured.json holds what was measured (bench/run.sh --record), ASSUMED what could not be. One primary of PostgreSQL
serves every gateway. An attempt takes its gateway's processor, commits its reservation, waits for the processor that
issued the card, commits its completion, and later brings three more commits: the device's word, the webhook that is kept,
and what the webhook tells. A commit takes a core of the database, then waits for the log: one flush at a time, which
carries everything that waits when it begins. The numbers come from a seeded generator, so they are the same everywhere.
--write puts the tables into docs/scaling.md; --check says whether they are the ones there.
"""

import argparse
import heapq
import json
import math
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "scaling.md"
BEGIN, END = "<!-- simulated: begin -->\n", "<!-- simulated: end -->\n"
TARGET_RATE, TARGET_CARDS = 10_000, 100_000_000
ASSUMED = {
    "issuer_p50_ms": 400, "issuer_p99_ms": 2000, "log_bytes_per_commit": 2500, "commits_per_attempt": 5,
    "gateway_cores": 8, "database_cores": 16, "log_megabytes_per_second": 500, "in_flight_kilobytes": 24,
    "attempts_per_card_and_year": 3,
}
SECONDS, WARM_UP = 1.0, 0.3


def lognormal(rng, p50, p99):
    """A sampler of times that half of the time are below p50, and one time in a hundred above p99."""
    sigma = math.log(max(p99 / p50, 1.001)) / 2.326
    return lambda: rng.lognormvariate(math.log(p50), sigma)


class Cores:
    """So many cores; work waits in order. Answers when each piece is done."""

    def __init__(self, count):
        self.free, self.busy = [0.0] * count, 0.0
        heapq.heapify(self.free)

    def take(self, now, seconds):
        begin = max(now, heapq.heappop(self.free))
        heapq.heappush(self.free, begin + seconds)
        self.busy += seconds
        return begin + seconds

    def load(self, until):
        return self.busy / (len(self.free) * until)


class Log:
    """The database's log. Commits that arrive while it is flushed go with the next flush."""

    def __init__(self, flush, byte_seconds):
        self.flush, self.byte_seconds = flush, byte_seconds
        self.waiting, self.is_busy, self.busy, self.flushes, self.commits = [], False, 0.0, 0, 0

    def begin(self, now):
        """Starts a flush of what waits; answers its end and those that it carries."""
        carried, self.waiting, self.is_busy = self.waiting, [], True
        seconds = self.flush() + len(carried) * self.byte_seconds
        self.busy, self.flushes, self.commits = self.busy + seconds, self.flushes + 1, self.commits + len(carried)
        return now + seconds, carried


def simulate(rate, measured, assumed=ASSUMED):
    """Runs so many attempts a second for a while; answers loads and added times."""
    rng = random.Random(rate)
    flush = lognormal(rng, measured["fdatasync_p50_ms"] / 1000, measured["fdatasync_p99_ms"] / 1000)
    issuer = lognormal(rng, assumed["issuer_p50_ms"] / 1000, assumed["issuer_p99_ms"] / 1000)
    gateway, database = Cores(assumed["gateway_cores"]), Cores(assumed["database_cores"])
    log = Log(flush, assumed["log_bytes_per_commit"] / (assumed["log_megabytes_per_second"] * 1e6))
    gateway_seconds, commit_seconds = measured["cpu_microseconds"] / 2e6, measured["commit_cpu_microseconds"] / 1e6
    later = assumed["commits_per_attempt"] - 2
    events, number, added, in_database, peak = [], 0, [], 0, 0

    def at(moment, kind, *what):
        nonlocal number
        number += 1
        heapq.heappush(events, (moment, number, kind, what))

    moment = rng.expovariate(rate)
    while moment < SECONDS:
        at(moment, "arrival", moment)
        # In the steady state as many attempts of some minutes ago bring their later commits.
        for _ in range(later + 1):
            at(moment + rng.random() / 10, "commit", None)
        moment += rng.expovariate(rate)
    while events:
        now, _, kind, what = heapq.heappop(events)
        if now > SECONDS:
            break
        if kind == "arrival":
            at(gateway.take(now, gateway_seconds), "commit", what[0])
        elif kind == "commit":
            in_database += 1
            peak = max(peak, in_database) if now > WARM_UP else peak
            at(database.take(now, commit_seconds), "flush", what[0])
        elif kind == "flush":
            log.waiting.append(what[0])
            if not log.is_busy:
                end, carried = log.begin(now)
                at(end, "flushed", carried)
        elif kind == "flushed":
            in_database -= len(what[0])
            for start in what[0]:
                if start is not None:
                    at(now, "answer", start)
            log.is_busy = False
            if log.waiting:
                end, carried = log.begin(now)
                at(end, "flushed", carried)
        elif kind == "answer":
            # The issuing processor's time lies between, and is nobody's here.
            done = gateway.take(now, gateway_seconds)
            if what[0] > WARM_UP:
                added.append(done - what[0])
    added.sort()
    wait = [issuer() for _ in range(1000)]
    result = {
        "rate": rate, "gateway": gateway.load(SECONDS), "database": database.load(SECONDS), "log": log.busy / SECONDS,
        "carried": log.commits / max(log.flushes, 1), "connections": peak, "upstream": rate * sum(wait) / len(wait),
        "p50_ms": added[len(added) // 2] * 1000 if added else math.inf,
        "p99_ms": added[len(added) * 99 // 100] * 1000 if added else math.inf,
    }
    # What comes in and does not go out again grows without end.
    result["holds"] = max(result["gateway"], result["database"]) < 0.95 and result["p99_ms"] < 250
    return result


def first(results):
    """The first rate that does not hold, and what is short there."""
    for result in results:
        if not result["holds"]:
            names = {"gateway": "the gateways' cores", "database": "the database's cores", "log": "the database's log"}
            # A log that is always being flushed is no shortage: flushes only carry more.
            shortage = max(("gateway", "database"), key=lambda name: result[name])
            return result["rate"], names[shortage if result[shortage] >= 0.9 else "log"]
    return None, None


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def tables(measured):
    a, cpu = ASSUMED, measured["cpu_microseconds"] / 1e6
    commits = TARGET_RATE * a["commits_per_attempt"]
    results = {rate: simulate(rate, measured) for rate in (1000, 2500, 5000, 10_000, 20_000)}
    goal = results[TARGET_RATE]
    shortage_rate, shortage = first(results.values())
    years = TARGET_CARDS * a["attempts_per_card_and_year"]
    costs = table(["what", "value", "from"], [
        ["processor time of the gateway for an attempt", f"{measured['cpu_microseconds']:.0f} µs", "measured"],
        ["processor time of PostgreSQL for a commit", f"{measured['commit_cpu_microseconds']:.0f} µs",
         "measured: pgbench, simple update"],
        ["`fdatasync` of a page", f"p50 {measured['fdatasync_p50_ms']:g} ms, p99 {measured['fdatasync_p99_ms']:g} ms",
         "measured"],
        ["a card in the store", f"{measured['bytes_per_card']:.0f} bytes", "measured, SQLite"],
        ["an attempt in the store", f"{measured['bytes_per_attempt']:.0f} bytes", "measured, SQLite"],
        ["the issuing processor's time", f"p50 {a['issuer_p50_ms']} ms, p99 {a['issuer_p99_ms']} ms", "assumed"],
        ["commits for an attempt", f"{a['commits_per_attempt']}", "by design, below"],
        ["log of a commit", f"{a['log_bytes_per_commit']} bytes", "assumed"],
        ["memory of an attempt under way", f"{a['in_flight_kilobytes']} kB", "assumed"],
    ])
    needs = table(["for 10 000 provisionings a second", "takes", "reckoned"], [
        ["cores of gateways, at half load", f"{math.ceil(TARGET_RATE * cpu * 2)}",
         f"10 000 × {measured['cpu_microseconds']:.0f} µs × 2"],
        ["instances of 4 cores, one of them in reserve", f"{math.ceil(TARGET_RATE * cpu * 2 / 4) + 1}", "the cores above"],
        ["commits a second", f"{commits:,}", f"10 000 × {a['commits_per_attempt']}"],
        ["cores of the database, at half load", f"{math.ceil(commits * measured['commit_cpu_microseconds'] / 1e6 * 2)}",
         f"{commits:,} × {measured['commit_cpu_microseconds']:.0f} µs × 2"],
        ["log of the database", f"{commits * a['log_bytes_per_commit'] / 1e6:.0f} MB/s",
         f"{commits:,} × {a['log_bytes_per_commit']} bytes"],
        ["connections to the database that are busy, at most", goal["connections"] if goal["holds"] else "–",
         "simulated, where 16 cores hold it"],
        ["connections to issuing processors", f"{goal['upstream']:,.0f}", "rate × mean time, HTTP/1.1"],
        ["of these for each instance and connection", "256", "`limits.in_flight_per_connection` unless raised"],
        ["memory of attempts under way, all instances", f"{goal['upstream'] * a['in_flight_kilobytes'] / 1000:.0f} MB",
         f"{goal['upstream']:,.0f} × {a['in_flight_kilobytes']} kB"],
    ])
    keeps = table(["for 100 million cards", "takes", "reckoned"], [
        ["cards in the store", f"{TARGET_CARDS * measured['bytes_per_card'] / 1e9:.0f} GB",
         f"10⁸ × {measured['bytes_per_card']:.0f} bytes"],
        ["attempts in a year", f"{years:,}", f"10⁸ × {a['attempts_per_card_and_year']}"],
        ["attempts a second, over the year", f"{years / (365 * 86400):.1f}", "the line above"],
        ["attempts in the store, kept for 400 days",
         f"{years * 400 / 365 * measured['bytes_per_attempt'] / 1e9:.0f} GB",
         f"the attempts × 400/365 × {measured['bytes_per_attempt']:.0f} bytes"],
        ["an hour at 10 000 a second adds", f"{TARGET_RATE * 3600 * measured['bytes_per_attempt'] / 1e9:.0f} GB",
         f"3.6 × 10⁷ × {measured['bytes_per_attempt']:.0f} bytes"],
    ])
    simulated = table(
        ["attempts a second", "gateways' cores", "database's cores", "log is flushed", "commits a flush",
         "busy connections", "added p50", "added p99", "holds"],
        [[f"{r['rate']:,}", f"{r['gateway']:.0%}", f"{r['database']:.0%}", f"{r['log']:.0%}", f"{r['carried']:.0f}",
          r["connections"] if r["holds"] else "–", *(
              f"{r[name]:.1f} ms" if r["holds"] else "–" for name in ("p50_ms", "p99_ms")),
          "yes" if r["holds"] else "**no**"]
         for r in results.values()])
    verdict = (
        f"The first to be short are **{shortage}**, at {shortage_rate:,} attempts a second." if shortage else
        "Nothing is short at any of these rates.")
    return (
        f"Measured on {measured['machine']}, at commit {measured['commit']}.\n\n{costs}\n{needs}\n{keeps}\n"
        f"{a['gateway_cores']} cores of gateways, and one database of {a['database_cores']} cores whose log takes "
        f"{a['log_megabytes_per_second']} MB/s:\n\n{simulated}\n{verdict}\n")


def main():
    parser = argparse.ArgumentParser(prog="bench/simulate.py", description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="put the tables into docs/scaling.md")
    parser.add_argument("--check", action="store_true", help="fail where docs/scaling.md has others")
    options = parser.parse_args()
    measured = json.loads((ROOT / "bench" / "measured.json").read_text())
    made = tables(measured)
    if not options.write and not options.check:
        print(made)
        return
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    inside, _, after = rest.partition(END)
    if options.write:
        PAGE.write_text(before + BEGIN + made + END + after)
    elif inside != made:
        sys.exit("simulate: docs/scaling.md does not show what bench/simulate.py reckons: make scaling")


if __name__ == "__main__":
    main()
