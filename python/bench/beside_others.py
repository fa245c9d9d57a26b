#!/usr/bin/env python3
"""Measures one program here, under mpirun with mpi4py, and with SimGrid's Python; and arrays beside C++.

  cmake --build build/release --target lockstep_python_beside_others

Each is left out where it is not installed (Debian: python3-mpi4py and openmpi-bin, python3-simgrid). The program is an
exchange of a word with each neighbour of a hypercube in turn; the table is in microseconds a processor-step, of
the processor's time, and under mpirun of wall time, which takes as many cores.
"""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROUNDS = 2_000

MPI = """
import sys, time
from mpi4py import MPI
comm, rounds = MPI.COMM_WORLD, int(sys.argv[1])
dimensions = comm.size.bit_length() - 1
partners, value = [comm.rank ^ (1 << d) for d in range(dimensions)], comm.rank
comm.barrier()
begun = time.perf_counter()
for number in range(rounds):
    value = comm.sendrecv(value, partners[number % dimensions], source=partners[number % dimensions])
comm.barrier()
if comm.rank == 0:
    print(time.perf_counter() - begun)
"""

SIMGRID = """
import sys, time
from simgrid import Actor, Engine, Mailbox
platform, processors, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
engine = Engine(sys.argv[:1])
engine.load_platform(platform)
dimensions = processors.bit_length() - 1

def program(rank):
    value = rank
    for number in range(rounds):
        other = rank ^ (1 << number % dimensions)
        sent = Mailbox.by_name(f"{rank} {other}").put_async(value, 8)
        value = Mailbox.by_name(f"{other} {rank}").get()
        sent.wait()

for rank in range(processors):
    Actor.create(str(rank), engine.host_by_name(f"node-{rank}"), program, rank)
begun = time.process_time()
engine.run()
print(time.process_time() - begun)
"""

PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="all" prefix="node-" suffix="" radical="0-{last}" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
"""


def seconds_here(processors, rounds, awaits):
    """Run the program on a machine: seconds of the fastest of five runs."""
    import lockstep

    dimensions = processors.bit_length() - 1

    def plain(me):
        partners, value = [me.rank ^ (1 << d) for d in range(dimensions)], me.rank
        for number in range(rounds):
            value = me.exchange(partners[number % dimensions], value)

    async def awaited(me):
        partners, value = [me.rank ^ (1 << d) for d in range(dimensions)], me.rank
        for number in range(rounds):
            value = await me.exchange(partners[number % dimensions], value)

    machine = lockstep.machine(f"hypercube:{dimensions}")
    return min(timed(lambda: machine.run(awaited if awaits else plain)) for _ in range(5))


def timed(call):
    """Call a function: the seconds of the processor that it takes."""
    begun = time.process_time()
    call()
    return time.process_time() - begun


def seconds_of(script, *arguments, before=()):
    """Run a script in a process of its own: the seconds that it prints; None where it fails."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(script)
        file.flush()
        words = [*before, sys.executable, file.name, *map(str, arguments)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    return float(done.stdout.split()[-1]) if done.returncode == 0 else None


def seconds_of_mpi4py(processors, rounds):
    """Run the program under mpirun; None where mpi4py is not installed."""
    if not shutil.which("mpirun") or importlib.util.find_spec("mpi4py") is None:
        return None
    start = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(processors)]
    return seconds_of(MPI, rounds, before=start)


def seconds_of_simgrid(processors, rounds):
    """Run the program in SimGrid; None where its Python is not installed."""
    if importlib.util.find_spec("simgrid") is None:
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(PLATFORM.format(last=processors - 1))
        file.flush()
        return seconds_of(SIMGRID, file.name, processors, rounds)


def array_nanoseconds(rounds=20, words=1_000_000):
    """Exchange arrays between two processors: ns a word of the fastest of seven runs."""
    import lockstep
    import numpy

    def program(me):
        mine = numpy.full(words, float(me.rank))
        for _ in range(rounds):
            assert me.exchange(1 - me.rank, mine)[-1] == 1 - me.rank

    machine = lockstep.machine("crossbar:2")
    return min(timed(lambda: machine.run(program)) for _ in range(7)) * 1e9 / (2 * words * rounds)


def shown(seconds, processors, rounds):
    """Write a time in microseconds a processor-step."""
    return f"{'not there':>10}" if seconds is None else f"{1e6 * seconds / (processors * rounds):10.2f}"


def main():
    """Print the tables. The first argument, if any, is the program in C++ that exchanges arrays."""
    print(f"{'us a processor-step':22}{'await':>10}{'plain':>10}{'mpi4py':>10}{'SimGrid':>10}")
    for processors in 4, 16, 64:
        rounds = ROUNDS // processors * 4
        times = [
            seconds_here(processors, rounds, True),
            seconds_here(processors, rounds, False),
            seconds_of_mpi4py(processors, rounds) if processors <= 16 else None,
            seconds_of_simgrid(processors, rounds),
        ]
        print(f"p = {processors:<18}" + "".join(shown(one, processors, rounds) for one in times))
    print(f"arrays of 10^6 words: Python {array_nanoseconds():.2f} ns a word", end="")
    if len(sys.argv) > 1:
        done = subprocess.run([pathlib.Path(sys.argv[1])], check=True, capture_output=True, text=True)
        print(f", C++ {float(done.stdout):.2f} ns a word", end="")
    print()


if __name__ == "__main__":
    main()
