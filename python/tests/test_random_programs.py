"""Random programs: results and counts as a small model of the counting rules says."""

import collections
import os
import random

import numpy
import pytest

import lockstep

#: How many random programs are run; LOCKSTEP_PYTHON_PROGRAMS says another number.
PROGRAMS = int(os.environ.get("LOCKSTEP_PYTHON_PROGRAMS", "300"))


def random_value(draw):
    """A payload, and its words."""
    size = draw.randrange(5)
    return draw.choice(
        [
            (draw.randrange(1000), 1),
            (draw.random(), 1),
            (None, 0),
            ([draw.randrange(9) for _ in range(size)], size),
            (tuple(range(size)), size),
            ("x" * size, -(-size // 8)),
            (b"x" * (3 * size), -(-3 * size // 8)),
            (numpy.arange(size, dtype=numpy.int16), size),
        ]
    )


class Program:
    """Calls for each processor, which cannot deadlock: each receive comes after its send in one order of all."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.size = draw.randrange(2, 9)
        self.calls = [[] for _ in range(self.size)]
        self.expected = [[] for _ in range(self.size)]
        self.clock = [1] * self.size
        self.last_out = [0] * self.size
        self.last_in = [0] * self.size
        self.largest = collections.Counter()
        self.volume = self.messages = self.queued = self.rounds = self.steps = 0
        channels = collections.defaultdict(collections.deque)
        for _ in range(draw.randrange(40)):
            kind = draw.random()
            rank = draw.randrange(self.size)
            waiting = [channel for channel, queue in channels.items() if queue]
            if kind < 0.45:
                self.send(rank, draw.choice([r for r in range(self.size) if r != rank]), draw, channels)
            elif kind < 0.85 and waiting:
                self.receive(*draw.choice(waiting), channels)
            elif kind < 0.93:
                steps = draw.randrange(4)
                self.calls[rank].append(("idle", steps))
                self.clock[rank] += steps
            elif kind > 0.97:
                self.barrier()
        for channel, queue in list(channels.items()):
            while queue:
                self.receive(*channel, channels)

    def send(self, rank, to, draw, channels):
        value, words = random_value(draw)
        self.clock[rank] += self.last_out[rank] == self.clock[rank]
        self.last_out[rank] = self.clock[rank]
        channels[rank, to].append((self.clock[rank], value, words))
        self.calls[rank].append(("send", to, value))

    def receive(self, sender, rank, channels):
        stamp, value, words = channels[sender, rank].popleft()
        step = max(stamp, self.last_in[rank] + 1)
        self.last_in[rank] = step
        self.clock[rank] = max(self.clock[rank], step + 1)
        self.queued = max(self.queued, step - stamp)
        self.rounds = max(self.rounds, step)
        if words:
            self.steps = max(self.steps, step)
            self.messages += 1
            self.volume += words
            self.largest[step] = max(self.largest[step], words)
        self.calls[rank].append(("receive", sender))
        self.expected[rank].append(value)

    def barrier(self):
        after = max(c + (out == c) for c, out in zip(self.clock, self.last_out))
        self.clock = [after] * self.size
        for calls in self.calls:
            calls.append(("barrier",))

    def run_plain(self, me):
        got = []
        for name, *arguments in self.calls[me.rank]:
            result = getattr(me, name)(*arguments)
            if name == "receive":
                got.append(result)
        return got

    async def run_awaited(self, me):
        got = []
        for name, *arguments in self.calls[me.rank]:
            result = await getattr(me, name)(*arguments)
            if name == "receive":
                got.append(result)
        return got


@pytest.mark.parametrize("way", ["run_plain", "run_awaited"])
@pytest.mark.parametrize("stacks", ["own", "copied"])
def test_random_programs(way, stacks):
    for seed in range(PROGRAMS):
        program = Program(seed)
        run = lockstep.machine(f"crossbar:{program.size}", stacks=stacks).run(getattr(program, way))
        for got, expected in zip(run.results, program.expected):
            assert len(got) == len(expected), f"seed {seed}"
            for one, other in zip(got, expected):
                assert type(one) is type(other) and numpy.array_equal(one, other), f"seed {seed}"
        assert run.counts == lockstep.takes(
            steps=program.steps,
            rounds=program.rounds,
            startups=len(program.largest),
            words=sum(program.largest.values()),
            volume=program.volume,
            messages=program.messages,
            queued=program.queued,
        ), f"seed {seed}"


def test_nothing_leaks_over_a_thousand_runs():
    import gc
    import sys

    marker = object()
    machine = lockstep.machine("hypercube:2")

    def succeeds(me):
        return marker, me.exchange(me.rank ^ 1, [1, 2]), me.all_reduce(me.rank, lambda a, b: a + b)

    async def awaits(me):
        return marker, await me.exchange(me.rank ^ 1, numpy.zeros(2)), me

    def fails(me):
        held = marker
        me.send(me.rank ^ 1, {"pickled": 1})
        if me.rank == 2:
            raise ValueError(held)
        me.receive(me.rank ^ 2)

    async def deadlocks(me):
        held = marker
        await me.send(me.rank ^ 1, "left over")
        await me.receive(me.rank ^ 2)
        return held

    def all_of_them():
        machine.run(succeeds)
        machine.run(awaits)
        for wrong in fails, deadlocks:
            try:
                machine.run(wrong)
            except lockstep.Error:
                pass

    def blocks_of_a_thousand_runs():
        before = sys.getallocatedblocks()
        for _ in range(250):
            all_of_them()
        gc.collect()
        return sys.getallocatedblocks() - before

    for _ in range(100):  # until caches are filled
        all_of_them()
    gc.collect()
    references = sys.getrefcount(marker)
    # Python's own tables grow now and then, by some hundred blocks at once; what leaks grows each time.
    assert min(blocks_of_a_thousand_runs() for _ in range(4)) < 100
    assert sys.getrefcount(marker) == references
