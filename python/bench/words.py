#!/usr/bin/env python3
"""Measures exchanges of one word: ns a processor-step, and memory at 100,000 processors.

  PYTHONPATH=build/release/python/package python3 python/bench/words.py
"""

import subprocess
import sys
import time

import lockstep


def plain(me, rounds):
    dimensions = me.size.bit_length() - 1
    partners = [me.rank ^ (1 << d) for d in range(dimensions)]
    value = me.rank
    for number in range(rounds):
        value = me.exchange(partners[number % dimensions], value)
    return value


async def awaited(me, rounds):
    dimensions = me.size.bit_length() - 1
    partners = [me.rank ^ (1 << d) for d in range(dimensions)]
    value = me.rank
    for number in range(rounds):
        value = await me.exchange(partners[number % dimensions], value)
    return value


def plain_ring(me):
    me.barrier()  # until then all wait
    right, left = (me.rank + 1) % me.size, (me.rank - 1) % me.size
    return me.exchange(right, me.exchange(right, me.rank, left), left)


async def awaited_ring(me):
    await me.barrier()
    right, left = (me.rank + 1) % me.size, (me.rank - 1) % me.size
    return await me.exchange(right, await me.exchange(right, me.rank, left), left)


def speed(program, dimensions, rounds, repeats=7):
    machine = lockstep.machine(f"hypercube:{dimensions}")
    least = float("inf")
    for _ in range(repeats):
        begun = time.process_time()
        run = machine.run(program, rounds)
        least = min(least, time.process_time() - begun)
        assert run.counts == lockstep.takes(steps=rounds, words=rounds)
    return 1e9 * least / (machine.size * rounds)


def memory(program):
    run = lockstep.machine("ring:100000").run(program)
    assert run.results[5] == 3
    status = dict(line.split(":") for line in open("/proc/self/status"))
    return int(status["VmHWM"].split()[0]) * 1024 / 1e6


def main():
    if len(sys.argv) == 2:
        return print(f"{memory(globals()[sys.argv[1]]):.0f}")
    for program, ring in (awaited, "awaited_ring"), (plain, "plain_ring"):
        small, large = speed(program, 10, 200), speed(program, 14, 50)
        used = subprocess.run([sys.executable, __file__, ring], check=True, stdout=subprocess.PIPE, text=True).stdout
        print(
            f"{program.__name__:8} p = 1,024: {small:5.0f} ns   p = 16,384: {large:5.0f} ns   "
            f"100,000 processors: {used.strip()} MB"
        )


if __name__ == "__main__":
    main()
