#!/usr/bin/env python3
"""Two processes of one worker beside one process of two workers: compare.py BENCH MPIEXEC [LOG_P...]

Both are run in turn, so that what else the computer does comes to both; the fastest run of each counts. Prints a row
for each program and size: seconds of both, their ratio, and the most that it may be. Timings decide nothing: the
exit status is 0.
"""

import os
import re
import subprocess
import sys
from typing import NamedTuple

LIMITS = {"ring": 1.25, "prefix": 1.5, "permutation": 1.8}
REPEATS = int(os.environ.get("REPEATS", "7"))
LINE = re.compile(r"^(\w+) +p +(\d+) .*?: +([0-9.]+) s, .*, (\d+) exchanges, (\d+) batches, (\d+) bytes, (\d+) KiB, ([0-9.]+) s of processors$")
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


class Measured(NamedTuple):
    seconds: float
    exchanges: int
    bytes: int
    kib: int  # of the process with most
    work: float  # seconds of the computer's processors


def measured(command):
    """Runs the bench. Result: by program."""
    printed = subprocess.run(command, env=os.environ | AS_ROOT, check=True, capture_output=True, text=True).stdout
    found = {}
    for line in printed.splitlines():
        if match := LINE.match(line):
            found[match[1]] = Measured(float(match[3]), int(match[4]), int(match[6]), int(match[7]), float(match[8]))
    return found


def main():
    bench, mpiexec = sys.argv[1:3]
    print("| program | p | one process, s | two processes, s | ratio | limit | exchanges | bytes | KiB of one, of each of two |")
    print("|---|---|---|---|---|---|---|---|---|")
    for bits in [int(size) for size in sys.argv[3:]] or [16, 20]:
        alone, together = {}, {}
        for _ in range(REPEATS):
            for name in LIMITS:
                one = measured([bench, str(bits), "2", "3", name])[name]
                two = measured([mpiexec, "-n", "2", bench, str(bits), "1", "3", name])[name]
                alone[name] = min(alone.get(name, one), one)
                together[name] = min(together.get(name, two), two)
        for name, limit in LIMITS.items():
            one, two = alone[name], together[name]
            print(f"| {name} | 2^{bits} | {one.seconds:.4f} | {two.seconds:.4f} | {two.seconds / one.seconds:.2f} | {limit} "
                  f"| {two.exchanges} | {two.bytes} | {one.kib}, {two.kib} |", flush=True)


if __name__ == "__main__":
    main()
