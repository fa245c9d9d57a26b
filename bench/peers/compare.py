#!/usr/bin/env python3
"""Runs the same workloads on lockstep and its rivals, and prints tables of ratios and of memory.

Each piece of work is run by all rivals in turn, five times (fewer if that would take over two minutes); the
medians are compared. A run that takes over a minute is ended, and larger machines are left out then. Each
program checks its results.
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import picture
import tables
from rivals import RIVALS, Commands

SIZES = [16, 64, 256, 1024, 4096, 16384, 65536]
SQUARES = [64, 256, 1024, 4096]
WORK = [
    ("ring", 1, SIZES),
    ("barrier", 1, [16, 1024, 16384, 65536]),
    ("prefix", 1, [16, 1024, 16384, 65536]),
    ("ring", 1024, [16, 1024, 16384]),
    ("exchange", 1, SQUARES),
    ("all-to-all", 1, SQUARES),
    ("radix", 4096, [16, 64, 256, 1024]),
]
QUICK_WORK = [
    ("ring", 1, [16, 64, 1024]),
    ("ring", 1024, [64]),
    ("prefix", 1, [64]),
    ("barrier", 1, [64]),
    ("exchange", 1, [64]),
    ("all-to-all", 1, [64]),
    ("radix", 4096, [16]),
]


MOST_ROUNDS = 1_000_000


class Failed(Exception):
    """A run that gave no time: why, in a few words."""


def available_memory():
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return 0


def start(commands, command, environment, stderr):
    """Starts a command in a session of its own, without input."""
    return subprocess.Popen(
        command,
        env=environment,
        cwd=commands.scratch,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        start_new_session=True,
    )


def run(commands, rival, work, rounds, limit):
    """One run. Result: the line that the program prints. Errors: Failed."""
    workload, words, processors = work
    command, environment = commands.of(rival, workload, processors, rounds, words)
    child = start(commands, command, environment, subprocess.PIPE)
    try:
        out, err = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        end(child)
        raise Failed(f"> {limit:g} s") from None
    lines = [line for line in out.splitlines() if line.startswith("{")]
    if child.returncode != 0 or not lines:
        print(f"  {rival.name}: status {child.returncode}: {(err or out).strip()[:300]}", file=sys.stderr)
        raise Failed("fails" if not lines else "wrong result")
    line = json.loads(lines[-1])
    if not line["correct"]:
        raise Failed("wrong result")
    return line


def end(child):
    """Ends a run: launchers end their processes when they are asked to, and are killed if not."""
    os.killpg(child.pid, signal.SIGTERM)
    try:
        child.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()


def rounds_for(commands, rival, work, options):
    """Finds how many rounds take about as long as wanted, by shorter runs."""
    rounds = 2
    while True:
        began = time.monotonic()
        seconds = run(commands, rival, work, rounds, options.limit)["seconds"]
        start = time.monotonic() - began - seconds
        if seconds >= options.seconds / 20 or start > 5 or rounds >= MOST_ROUNDS:
            return max(2, min(MOST_ROUNDS, round(rounds * options.seconds / max(seconds, 1e-9))))
        rounds = min(MOST_ROUNDS, round(rounds * min(50, options.seconds / 8 / max(seconds, 1e-6))) + 1)


def work_row(rival, work, **more):
    workload, words, processors = work
    row = {"workload": workload, "words": words, "processors": processors, "rival": rival.name}
    return row | {"rounds": 0, "seconds": [], "bytes": 0, "wall": 0, "note": ""} | more


class Comparison:
    """All runs, and what is known of each rival so far."""

    def __init__(self, commands, rivals, options):
        self.commands = commands
        self.rivals = rivals
        self.options = options
        self.rows = []
        self.ended = {}  # (rival, workload, words) -> why larger machines are left out
        self.too_slow = {}  # (rival, processors) -> why, for a quick look

    def compare(self, work):
        workload, words, processors = work
        able = [rival for rival in self.rivals if workload in rival.workloads]
        rows = [self.first_row(rival, work) for rival in able]
        for _ in range(self.options.repetitions):
            for rival, row in zip(able, rows):
                if not row["note"]:
                    self.repeat(rival, work, row)
        self.rows += rows
        print(tables.ratio_table(rows).splitlines()[-1], flush=True)

    def first_row(self, rival, work):
        """Finds the number of rounds, or why there is no time."""
        place = (rival.name, work[0], work[1])
        note = self.ended.get(place) or self.left_out(rival, work) or self.too_large(rival, work)
        if self.options.quick and not note:
            note = self.too_slow.get((rival.name, work[2]), "")
        if note:
            return work_row(rival, work, note=note)
        try:
            return work_row(rival, work, rounds=rounds_for(self.commands, rival, work, self.options))
        except Failed as failed:
            self.ended[place] = f"{failed} from {work[2]:,}"
            self.too_slow[(rival.name, work[2])] = str(failed)
            return work_row(rival, work, note=str(failed))

    def left_out(self, rival, work):
        """Tells if this rival is not asked for machines of this size: hundreds of MPI's processes, all of
        them busy while they wait, leave nothing of the computer to anybody else."""
        most = self.options.at_most.get(rival.name)
        return f"not above {most:,}" if most and work[2] > most else ""

    def too_large(self, rival, work):
        """Tells if a machine of this size would take too much memory, by the last smaller one."""
        workload, words, processors = work
        smaller = [
            row
            for row in self.rows
            if row["rival"] == rival.name and row["workload"] == workload
            and row["words"] == words and row["bytes"]
        ]
        if not smaller:
            return ""
        grown = processors / smaller[-1]["processors"]
        bytes_wanted = smaller[-1]["bytes"] * grown ** (2 if workload in ("exchange", "all-to-all") else 1)
        fits = bytes_wanted < 0.6 * available_memory()
        return "" if fits else f"needs {tables.digits(bytes_wanted / 2**30)} GiB"

    def repeat(self, rival, work, row):
        """Runs it once more, unless that would take too long in all."""
        if row["wall"] * (len(row["seconds"]) + 1) > self.options.cell * len(row["seconds"]) > 0:
            return
        began = time.monotonic()
        try:
            line = run(self.commands, rival, work, row["rounds"], self.options.limit)
        except Failed as failed:
            row["note"], row["seconds"] = str(failed), []
            self.ended[(rival.name, work[0], work[1])] = f"{failed} from {work[2]:,}"
            return
        row["seconds"].append(line["seconds"])
        row["wall"] += time.monotonic() - began
        row["bytes"] = max(row["bytes"], line["bytes"])


def show_deadlocks(commands, rivals, limit):
    """Runs a program that can never end on each, for a few seconds, and shows what it says."""
    for rival in rivals:
        command, environment = commands.of(rival, "deadlock", 4, 1, 1)
        child = start(commands, command, environment, subprocess.STDOUT)
        print(f"--- {rival.title}")
        try:
            said, _ = child.communicate(timeout=limit)
            print(f"ends with status {child.returncode}:\n{said.strip()}")
        except subprocess.TimeoutExpired:
            end(child)
            print(f"says nothing in {limit:g} s; ended")


def limits_from(text):
    """Reads rival=processors,..."""
    limits = (limit.split("=") for limit in text.split(",") if limit)
    return {rival: int(processors) for rival, processors in limits}


def options_from(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build/peers", help="where the programs were built")
    parser.add_argument("--quick", action="store_true", help="less of all, in two minutes")
    parser.add_argument("--rivals", help="only these, comma-separated: " + ",".join(r.name for r in RIVALS))
    parser.add_argument("--workloads", help="only these, comma-separated")
    parser.add_argument("--sizes", help="only these numbers of processors, comma-separated")
    parser.add_argument("--at-most", default="openmpi=256,mpich=64", type=limits_from,
                        help="the most processors of some rivals; default: %(default)s")
    parser.add_argument("--repetitions", type=int)
    parser.add_argument("--seconds", type=float, help="how long the timed part of a run should take")
    parser.add_argument("--limit", type=float, help="seconds after which a run is ended")
    parser.add_argument("--cell", type=float, help="seconds that all runs of one rival on one piece of work "
                                                   "may take; with fewer runs if need be")
    parser.add_argument("--results", help="write all times into this JSON file")
    parser.add_argument("--from-results", help="measure nothing: tables and picture of such files, "
                                               "comma-separated")
    parser.add_argument("--picture", help="write the ring's times into this SVG file")
    parser.add_argument("--deadlock", action="store_true", help="only show what each says of a deadlock")
    options = parser.parse_args(arguments)
    usual = {"repetitions": 3, "seconds": 0.05, "limit": 5, "cell": 5} if options.quick else {
        "repetitions": 5, "seconds": 0.25, "limit": 60, "cell": 120}
    for name, value in usual.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    return options


def chosen_work(options):
    wanted = options.workloads.split(",") if options.workloads else None
    sizes = [int(size) for size in options.sizes.split(",")] if options.sizes else None
    for workload, words, usual_sizes in QUICK_WORK if options.quick else WORK:
        if wanted is None or workload in wanted:
            for processors in sizes or usual_sizes:
                yield workload, words, processors


def chosen_rivals(options, commands):
    names = options.rivals.split(",") if options.rivals else None
    found = []
    for rival in RIVALS:
        if rival.name not in names if names else rival.asked_for:
            continue
        missing = commands.missing(rival)
        if missing:
            print(f"without {rival.title}: {missing}")
        else:
            found.append(rival)
    return found


def measure(options):
    with tempfile.TemporaryDirectory() as scratch:
        commands = Commands(pathlib.Path(options.build).resolve(), scratch)
        rivals = chosen_rivals(options, commands)
        if options.deadlock:
            show_deadlocks(commands, rivals, min(options.limit, 5))
            return []
        print(" | ".join(["", "work", *(rival.title for rival in rivals)]), flush=True)
        comparison = Comparison(commands, rivals, options)
        for work in chosen_work(options):
            comparison.compare(work)
            if options.results:
                pathlib.Path(options.results).write_text(json.dumps(comparison.rows, indent=1))
        return comparison.rows


def show(rows, options):
    print("\nTimes in multiples of lockstep's (of lockstep: of a processor-step, or of all)\n")
    print(tables.ratio_table(rows))
    print("\nMemory a processor\n")
    print(tables.memory_table(rows))
    ring = [row for row in rows if row["workload"] == "ring" and row["words"] == 1 and row["seconds"]]
    if options.picture and not ring:
        print("\nNo picture: the ring was not measured")
    elif options.picture:
        title = "A ring with a barrier a step, messages of one word"
        svg = picture.picture(ring, title, "time of a processor-step")
        pathlib.Path(options.picture).write_text(svg)


def main(arguments):
    options = options_from(arguments)
    if options.from_results:
        rows = []
        for name in options.from_results.split(","):
            rows += json.loads(pathlib.Path(name).read_text())
        order = list(dict.fromkeys((workload, words) for workload, words, _ in WORK))
        rows.sort(key=lambda row: (order.index((row["workload"], row["words"])), row["processors"]))
    else:
        rows = measure(options)
    if rows:
        show(rows, options)
    wrong = [row for row in rows if row["note"].startswith("wrong result")]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
