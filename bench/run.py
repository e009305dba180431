"""Measures the gateway beside its yardsticks, and writes bench/results.json and bench/results.md."""

import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

import bench
import rows

RESULTS = bench.ROOT / "bench" / "results.json"
MEASURED = bench.ROOT / "bench" / "measured.json"
PAGE = bench.ROOT / "bench" / "results.md"


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} cores, {platform.platform()}"


def commit():
    git = ["git", "-C", bench.ROOT]
    name = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True).stdout.strip()
    return name + (" with changes" if changed else "")


def rounded(value):
    if value is None:
        return None
    return round(value, 3) if abs(value) < 100 else round(value)


def entry(target, command):
    found = {
        "name": target.name, "value": rounded(target.value), "goal": target.goal, "met": target.met,
        "min": rounded(target.least), "max": rounded(target.most), "command": command}
    if target.reason:
        found["reason"] = target.reason
    return found


def chosen(table, names):
    """The rows that are asked for, with those of their targets that are."""
    if not names:
        return table
    found = []
    for row in table:
        targets = row.targets if row.name in names else [target for target in row.targets if target.name in names]
        if targets:
            # What one command measures together stays together, but the peers can be had one by one.
            row.targets = targets if row.name == "apple_in_app" else row.targets
            found.append(row)
    known = {row.name for row in table} | {target.name for row in table for target in row.targets}
    for name in set(names) - known:
        sys.exit(f"bench: there is no row {name}; there are {', '.join(sorted(known))}")
    return found


def measure(row, run):
    print(f"\n{row.name}: {row.about}", flush=True)
    run.notes = []
    try:
        row.measure(run, row.targets)
    except rows.Unmeasurable as problem:
        run.note(f"not measured: {problem}")
        for target in row.targets:
            if target.value is None:
                target.reason = target.reason or str(problem)
    return run.notes


def merged(entries, made):
    """The entries of an earlier run of the same commit on the same machine, with these in their places."""
    try:
        before = json.loads(RESULTS.read_text())
    except (OSError, ValueError):
        return entries
    if (before.get("machine"), before.get("commit")) != made:
        return entries
    by_name = {entry["name"]: entry for entry in [*before["targets"], *entries]}
    order = [target.name for row in rows.table() for target in row.targets]
    return [by_name[name] for name in order if name in by_name]


def cell(value):
    return "–" if value is None else f"{value:g}" if isinstance(value, (int, float)) else str(value)


def page(results, told):
    """The same as a table in Markdown, with what was seen on the way."""
    lines = [
        "# Measured", "", f"Commit {results['commit']} on {results['machine']}.", "",
        "| target | value | goal | met | least | most | command |", "|---|---|---|---|---|---|---|"]
    limits = {target.name for row in rows.table() for target in row.targets if target.is_limit}
    for one in results["targets"]:
        sign = "≤ " if one["name"] in limits else "≥ "
        goal = "reported" if one["goal"] is None else sign + cell(one["goal"])
        met = {True: "yes", False: "no", None: "–"}[one["met"]]
        value = one.get("reason") or cell(one["value"])
        lines.append(f"| `{one['name']}` | {value} | {goal} | {met} | {cell(one['min'])} | {cell(one['max'])} "
                     f"| `{one['command']}` |")
    for name, about, notes in told:
        lines += ["", f"## {name}", "", about, "", "```", *notes, "```"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="bench/run.sh", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="short runs, smaller stores: below three minutes")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="a row or target; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the rows and their targets")
    parser.add_argument("--record", action="store_true", help="keep what docs/scaling.md reckons with, in bench/measured.json; it needs the rows apple_in_app, "
                        "added_latency, memory, import_command and postgres")
    options = parser.parse_args()
    table = rows.table()
    if options.list:
        for row in table:
            print(f"{row.name}: {', '.join(target.name for target in row.targets)}\n    {row.about}")
        return
    if (os.cpu_count() or 1) < 2:
        sys.exit("bench: two cores are needed: one for the server under test, one for the load tool")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="passgate-bench-", dir=bench.ROOT / ".build"))
    kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True).stdout.strip()
    if kind in ("tmpfs", "ramfs"):
        sys.exit("bench: the store must stand on a disk, not on tmpfs")
    began, made, told, entries = time.monotonic(), (machine(), commit()), [], []
    stage = bench.Bench(folder, *((1, 3) if options.quick else (10, 5)))
    if not options.quick:
        stage.cards, stage.checkout_cards = 100_000, 50_000
    run = rows.Run(stage, options.quick)
    print(f"{made[0]}; commit {made[1]}; store on {kind}")
    print(f"{stage.rounds} alternating rounds of {stage.seconds} s, keep-alive, one server on one core")
    succeeded = False
    try:
        for row in chosen(table, options.only):
            notes = measure(row, run)
            told.append((row.name, row.about, notes))
            for target in row.targets:
                quick = " --quick" if options.quick else ""
                entries.append(entry(target, f"bench/run.sh{quick} --only {target.name}"))
        succeeded = True
    finally:
        stage.stop()
        if succeeded:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"bench: what was written lies in {folder}", file=sys.stderr)
    results = {"machine": made[0], "commit": made[1], "targets": merged(entries, made)}
    RESULTS.write_text(json.dumps(results, indent=2) + "\n")
    PAGE.write_text(page(results, told))
    if options.record:
        measured = {"machine": made[0], "commit": made[1], **{
            name: rounded(value) for name, value in sorted(run.found.items())}}
        MEASURED.write_text(json.dumps(measured, indent=2) + "\n")
    print()
    for one in entries:
        goal = "" if one["goal"] is None else f"   goal {cell(one['goal'])}: {'met' if one['met'] else 'not met'}"
        print(f"{one['name']:45} {cell(one['value']):>9}   ({cell(one['min'])} to {cell(one['max'])}){goal}"
              + (f"   {one['reason']}" if "reason" in one else ""))
    print(f"{time.monotonic() - began:.0f} s; written to bench/results.json and bench/results.md")


if __name__ == "__main__":
    main()
