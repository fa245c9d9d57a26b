"""Runs random command lines of `lockstep`, and says which break a rule.

  tester.py LOCKSTEP [--runs N] [--seed S] [--jobs J] [--kind KIND] [--only NUMBER]

Case NUMBER of a seed is the same on every computer. A fault is shrunk: options are left out while it
stays, and what is left is printed, with what makes it again. Exit status: 0 no fault; 1 faults.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import cases
from judging import Fault
from running import Limits, run


class Tool:
    """The command line, and what it says of itself."""

    def __init__(self, program, extremes):
        self.program = [str(Path(word).resolve()) if Path(word).exists() else word for word in program]
        program = self.program
        self.extremes = extremes  # whether files have values of which sums and products do not fit
        listed = json.loads(subprocess.run([*program, "list", "--json"], capture_output=True, check=True).stdout)
        self.algorithms = listed["algorithms"]
        self.models = [one["name"] for one in listed["models"]]
        self.papers = self._names_of("paper")
        self.figures = self._names_of("figure")

    def algorithm(self, name):
        return next(one for one in self.algorithms if one["name"] == name)

    def _names_of(self, command):
        text = subprocess.run([*self.program, command, "--help"], capture_output=True, check=True).stdout.decode()
        return re.search(r"^ +NAME +(.*)$", text, re.MULTILINE).group(1).split(", ")


class Runner:
    """Runs command lines in a folder that has a case's files."""

    def __init__(self, tool, case, most_seconds):
        self.tool = tool
        self.most_seconds = most_seconds
        self.folder = Path(tempfile.mkdtemp(prefix="command-lines-"))
        self.statuses = []
        for name, data in case.files.items():
            (self.folder / name).write_bytes(data)

    def run(self, words, limits=Limits()):
        limits = dataclasses.replace(limits, seconds=min(limits.seconds, self.most_seconds))
        finished = run(self.tool.program, words, self.folder, limits)
        self.statuses.append(130 if finished.interrupted else finished.status)
        return finished

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def made(tool, seed, number, kind):
    return cases.random_case(random.Random(f"{seed}/{number}"), tool, kind)


def play(tool, case, most_seconds):
    """Result: the fault of a case, or None, and the statuses of its runs."""
    if any("\0" in word for word in case.words):
        return None, []
    runner = Runner(tool, case, most_seconds)
    try:
        return case.check(case, runner), runner.statuses
    except Exception:  # what it wrote was not even readable
        return Fault("unreadable", traceback.format_exc(limit=-2)), runner.statuses
    finally:
        runner.close()


def shrunk(tool, case, fault, most_seconds):
    """The case with as few options as still have that kind of fault."""
    number = len(case.options) if fault.kind == "hang" else 0  # each of which takes its time
    while number < len(case.options):
        if case.options[number] in case.needed:
            number += 1
            continue
        fewer = case.without(number)
        found, _ = play(tool, fewer, most_seconds)
        if found is not None and found.kind == fault.kind:
            case, fault = fewer, found
        else:
            number += 1
    return case, fault


def report(number, seed, case, fault, options):
    again = f"--seed {seed} --only {number}" + (f" --kind {options.kind}" if options.kind else "")
    again += " --extremes" if options.extremes else ""
    print(f"\nFAULT in case {number} ({case.kind}): {fault}")
    print(f"  {cases.as_shell(case)}")
    if fault.run is not None and fault.run.words != case.words:
        print(f"  with the words {fault.run.words[len(case.words):]}")
    for name, data in case.files.items():
        print(f"  {name}: {data[:160]!r}{'...' if len(data) > 160 else ''}")
    print(f"  again: scripts/random_command_lines {again}", flush=True)


def keep_files(case, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in case.files.items():
        (folder / name).write_bytes(data)
    print(f"  its files: {folder}")


class Summary:
    """How many cases of each kind ended in which status, and which algorithms have run to their end."""

    def __init__(self):
        self.statuses = collections.Counter()
        self.all_right = collections.Counter()
        self.faults = []

    def add(self, case, statuses):
        for status in statuses:
            self.statuses[case.kind, status] += 1
        if statuses and statuses[0] == 0 and len(case.command) > 1 and case.command[0] == "run":
            self.all_right[case.command[1]] += 1

    def print(self, tool, seconds):
        for kind in sorted({kind for kind, _ in self.statuses}):
            row = {status: count for (of, status), count in sorted(self.statuses.items()) if of == kind}
            print(f"{kind:14}" + "".join(f"  status {status}: {count}" for status, count in row.items()))
        never = [one["name"] for one in tool.algorithms if not self.all_right[one["name"]]]
        print(f"{sum(self.statuses.values())} runs in {seconds:.0f} s; {len(self.faults)} faults"
              + (f"; never all right: {', '.join(never)}" if never else ""))
        return never


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="+", help="the command line, as words")
    parser.add_argument("--runs", type=int, default=1000, help="cases")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kind", choices=list(cases.BY_NAME))
    parser.add_argument("--only", type=int, help="the number of one case; its files are kept")
    parser.add_argument("--seconds", type=float, default=60, help="that a run may take")
    parser.add_argument("--most-faults", type=int, default=20, help="after which it stops")
    parser.add_argument("--extremes", action="store_true", help="files also have numbers too large to add")
    parser.add_argument("--all-algorithms", action="store_true", help="each has to be all right once")
    return parser.parse_args()


def play_all(tool, options, summary):
    numbers = [options.only] if options.only is not None else range(options.runs)

    def one(number):
        if len(summary.faults) >= options.most_faults:
            return None
        case = made(tool, options.seed, number, options.kind)
        fault, statuses = play(tool, case, options.seconds)
        if fault is not None:
            case, fault = shrunk(tool, case, fault, options.seconds)
        return number, case, fault, statuses

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for count, done in enumerate(pool.map(one, numbers), 1):
            if done is None:
                continue
            if count % 1000 == 0:
                print(f"{count} cases, {len(summary.faults)} faults", flush=True)
            number, case, fault, statuses = done
            summary.add(case, statuses)
            if fault is not None:
                summary.faults.append(fault)
                report(number, options.seed, case, fault, options)
                if options.only is not None:
                    keep_files(case, Path(tempfile.gettempdir()) / f"command-line-{options.seed}-{number}")
            elif options.only is not None:
                print(cases.as_shell(case), "is all right:", statuses)


def main():
    options = arguments()
    tool = Tool(options.program, options.extremes)
    start = time.monotonic()
    print(f"seed {options.seed}: {options.runs} random command lines", flush=True)
    summary = Summary()
    play_all(tool, options, summary)
    never = summary.print(tool, time.monotonic() - start)
    if summary.faults or (options.all_algorithms and never):
        sys.exit(1)


if __name__ == "__main__":
    main()
