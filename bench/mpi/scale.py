#!/usr/bin/env python3
"""How a run of several processes would scale: the tables of docs/scale.md.

    scale.py                     predictions, from the constants below
    scale.py check BENCH MPIEXEC [LOG_P...]
                                 the model beside runs of lockstep_mpi_bench on 1, 2, 4 and 8 processes

Each constant says whether it was measured, and how; what was not is assumed. Change one here, and the tables follow.
"""

import os
import sys

# --- Measured: g++ 12, -O3, x86-64, a virtual machine of 2 cores, Open MPI 4.1, by `check` and by valgrind.

# Memory, in bytes.
COMING = 28  # of a process for each record that arrives in a round at the end, beside those kept
RECORDS_OF_ROUND = 1 << 18  # of all processors together
RECORD = 32  # of a process for each processor of the machine, at the end: its record
OWN = 4500  # for each processor that a process runs: a page of its stack, and its state
USES = {"prefix": 1_300}  # for each processor of these programs: links that messages took, where they may be shared
OWN_COPIED = 2027  # the same with stacks::copied: 2,087 (docs/performance.md), less both of the records
BASE = 18 << 20  # of a process with MPI

# Messages between processes, in bytes.
ENVELOPE = 40  # of each, besides its elements
TALK = 7_100  # of a run, from each process to each: where files lie, which machine, lines and types
TALK_OF_STEP = 130  # for each step that has counters, from each process to each

# Exchanges, to which all processes come.
EXCHANGES = 12  # of a run, one of them a round of records
EXCHANGES_OF_BARRIER = 2  # of each barrier of the machine

# Time of one core, in seconds.
START = 1.1e-6  # of each processor that a process runs, in each run
OTHER = 0.1e-6  # of a process for each processor of the machine, in each run
CROSSING = 0.6e-6  # of a message that changes process, at both: 400 instructions, and their cache misses
STEP = {"ring": 16e-9, "barriers": 111e-9, "prefix": 181e-9, "permutation": 200e-9}  # of a processor

# --- Assumed of nodes: 16 cores with a worker on each, 128 GiB, a network of 100 Gbit/s.

WORKERS = 16
MEMORY = 128 << 30
BANDWIDTH = 10e9  # bytes a second and node, each way
LATENCY = 5e-6  # of a message of MPI
SPEED_UP = 12  # of 16 workers (docs/performance.md reasons 16 / 1.4 and better)


class Run:
    """A program of the bench on p = 2^bits processors and n processes, both powers of two."""

    def __init__(self, program, bits, n):
        self.program, self.p, self.n = program, 1 << bits, n
        self.own = self.p // n
        self.steps = {"ring": 32, "barriers": 32, "prefix": bits, "permutation": 1}[program]
        dimensions = n.bit_length() - 1
        self.crossing = {
            "ring": 32 * n if n > 1 else 0,
            "barriers": 32 * n if n > 1 else 0,
            "prefix": self.p * dimensions,
            "permutation": self.p * (n - 1) // n,  # bits are reversed: the first of both places are others
        }[program]

    def bytes_sent(self):
        """All bytes of all processes."""
        talk = TALK + TALK_OF_STEP * self.steps + RECORD * self.own
        return self.n * (self.n - 1) * talk + self.crossing * (ENVELOPE + 8)

    def exchanges(self):
        """Those of a run, of barriers, and of rounds in which a process waits for messages of others."""
        more_records = (self.p - 1) // RECORDS_OF_ROUND
        if self.n == 1:
            return EXCHANGES + more_records + (self.steps if self.program == "barriers" else 0)
        rounds = {"ring": 1, "barriers": EXCHANGES_OF_BARRIER * self.steps,
                  "prefix": self.n.bit_length() - 1, "permutation": 1}[self.program]
        return EXCHANGES + more_records + rounds

    def memory(self, copied=False):
        """Bytes of a process."""
        own = (OWN_COPIED if copied else OWN) + USES.get(self.program, 0)
        return BASE + RECORD * self.p + COMING * min(self.p, RECORDS_OF_ROUND) + own * self.own

    def work(self):
        """Seconds of all cores together, without waiting."""
        return (self.p * (START + self.steps * STEP[self.program]) + self.n * self.p * OTHER
                + self.crossing * CROSSING)

    def seconds(self, other=OTHER):
        """Of a node with WORKERS cores for each process, by its parts."""
        return {
            "processors": self.own * (START + self.steps * STEP[self.program]) / SPEED_UP,
            "records of all": self.p * other,
            "messages between nodes": self.crossing / self.n * CROSSING / SPEED_UP,
            "network": self.bytes_sent() / self.n / BANDWIDTH,
            "exchanges": self.exchanges() * LATENCY * max(1, self.n.bit_length() - 1),
        }


def gib(size):
    return f"{size / (1 << 30):,.1f}"


def predict():
    print("| processors | nodes | a node runs | memory of a node, GiB | fits 128 GiB |")
    print("|---|---|---|---|---|")
    for bits, n in (24, 1), (27, 8), (27, 64), (30, 8), (30, 64), (30, 512):
        run = Run("ring", bits, n)
        memory = run.memory(copied=True)
        fits = "yes" if memory <= MEMORY else "no"
        print(f"| 2^{bits} | {n} | 2^{bits - n.bit_length() + 1} | {gib(memory)} | {fits} |")
    print()
    print("| program | processors | nodes | processors, s | records of all, s | messages between nodes, s | network, s "
          "| exchanges, s | all, s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for bits, n in (27, 8), (30, 64):
        for program in STEP:
            parts = Run(program, bits, n).seconds()
            row = " | ".join(f"{part:,.2f}" for part in parts.values())
            print(f"| {program} | 2^{bits} | {n} | {row} | {sum(parts.values()):,.1f} |")


def check(bench, mpiexec, sizes):
    from compare import measured

    print("| program | p | processes | bytes | model | exchanges | model | KiB of a process | model "
          "| s of processors | model |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for program in STEP:
        for bits in sizes:
            for n in 1, 2, 4, 8:
                seen = measured([mpiexec, "-n", str(n), bench, str(bits), "1", "3", program])[program]
                run = Run(program, bits, n)
                beside = lambda of, model: f"{of:,} | {100 * (model - of) / of:+.1f} %" if of and model else f"{of:,} | "
                print(f"| {program} | 2^{bits} | {n} | {beside(seen.bytes, run.bytes_sent())} "
                      f"| {seen.exchanges} | {run.exchanges()} "
                      f"| {beside(seen.kib, run.memory() / 1024)} | {seen.work:.3f} | {run.work():.3f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        check(sys.argv[2], sys.argv[3], [int(bits) for bits in sys.argv[4:]] or [16, 18])
    else:
        predict()
