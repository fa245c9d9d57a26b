"""The random programs of the core's tests, interpreted in Python: all figures are those of C++.

LOCKSTEP_RANDOM_TWINS names the program made of random_twins.cpp, LOCKSTEP_PYTHON_PROGRAMS how many programs are run.
"""

import json
import os
import subprocess

import numpy
import pytest

import lockstep

TWINS = os.environ.get("LOCKSTEP_RANDOM_TWINS")
PROGRAMS = int(os.environ.get("LOCKSTEP_PYTHON_PROGRAMS", "1000"))

pytestmark = pytest.mark.skipif(not TWINS, reason="LOCKSTEP_RANDOM_TWINS is not set")

#: The calls of `action` in tests/core/random_programs/random_program.hpp.
ACTIONS = (
    *("send", "receive", "exchange", "idle", "barrier", "phase", "pipelined_begin", "pipelined_end", "rearrange"),
    *("choose_pass", "tagged", "subset", "read", "write", "serve", "receive_any", "pending", "try_receive", "post"),
    *("deliver", "allocate", "free_memory", "work", "label", "fail"),
)
OUTSIDE_OF_LABELS = ("pipelined_begin", "pipelined_end", "label")

#: Of its element types: that of an array, how many of its elements stand for one, and that number where bytes count.
TYPES = (("i1", 1, 1), ("i4", 1, 1), ("f8", 1, 1), ("f8", 3, 2), ("f8", 8, 8))

#: What Python leaves to the program: it takes whatever comes, and its bad arguments have classes of Python's.
NOT_IN_PYTHON = ("type_mismatch", "size_mismatch", "invalid_argument")

MASK = 2**64 - 1


def digest(codes):
    total = len(codes)
    for code in codes:
        total = total * 1_000_003 + code + 1 & MASK
    return total


def codes_of(seed, count):
    start, step = (seed + 1) * 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03
    return [((start + index * step & MASK) >> 33) % 100 for index in range(count)]


class Player:
    """The calls of a processor, one after another, as in play.cpp."""

    def __init__(self, program, me, awaits):
        self.calls = program["calls"][me.rank]
        self.bytes_count = program["options"]["count"] == "bytes"
        self.me, self.awaits = me, awaits
        self.parts = {0: (me, list(range(me.size)))}
        self.memory, self.result, self.next = [], [], 0

    async def play(self):
        while self.next < len(self.calls):
            await self.make_next()
        return self.result

    async def done(self, call):
        return await call if self.awaits else call

    async def inside(self, scope, body):
        if self.awaits:
            async with scope:
                await body()
        else:
            with scope:
                await body()

    async def make_next(self):
        call = self.calls[self.next]
        self.next += 1
        what = ACTIONS[call["what"]]
        if call["through"] not in self.parts:
            return
        try:
            await self.make(what, call)
        except lockstep.Error:
            if not call["caught"] or what == "pipelined_begin":
                raise

    async def make(self, what, call):
        part, members = self.parts[call["through"]]
        if what == "label":
            self.result.append(self.me.now)
            return await self.label(part, call)
        await getattr(self, what, self.plain)(part, members, call)
        self.result.append(self.me.now)

    def rank_in(self, members, rank):
        if not 0 <= rank < self.me.size:
            return rank
        return members.index(rank) if rank in members else len(members)

    def to(self, members, call):
        return lockstep.along(*call["way"]) if "way" in call else self.rank_in(members, call["to"])

    def elements_of(self, kind):
        name, of_elements, of_bytes = TYPES[kind]
        return name, of_bytes if self.bytes_count else of_elements

    def values(self, kind, count, seed):
        name, each = self.elements_of(kind)
        return numpy.repeat(numpy.array(codes_of(seed, count), dtype=name), each)

    def bring(self, kind, values):
        self.result.append(digest([int(code) for code in numpy.atleast_1d(values)[:: self.elements_of(kind)[1]]]))

    async def send(self, part, members, call):
        await self.done(part.send(self.to(members, call), self.values(*call["sent"])))

    async def receive(self, part, members, call):
        self.bring(call["taken"], await self.done(part.receive(self.rank_in(members, call["from"]))))

    async def exchange(self, part, members, call):
        to, source = self.to(members, call), self.rank_in(members, call["from"])
        self.bring(call["taken"], await self.done(part.exchange(to, self.values(*call["sent"]), source)))

    async def receive_any(self, part, members, call):
        among = [self.rank_in(members, rank) for rank in call["members"]] or None
        source, values = await self.done(part.receive_any(among))
        self.result.append(source)
        self.bring(call["taken"], values)

    async def pending(self, part, members, call):
        self.result.append(await self.done(part.pending(self.rank_in(members, call["from"]))))

    async def try_receive(self, part, members, call):
        for _ in range(call["number"]):
            values = await self.done(part.try_receive(self.rank_in(members, call["from"])))
            if values is not None:
                return self.bring(call["taken"], values)
            self.result.append(self.me.now)
        await self.receive(part, members, call)

    async def post(self, part, members, call):
        await self.done(part.post(self.rank_in(members, call["to"]), self.values(*call["sent"])))

    async def deliver(self, part, members, call):
        for source, posts in await self.done(part.deliver(announced=call["number"] == 2)):
            self.result.append(source)
            self.bring(call["taken"], numpy.concatenate([[], *posts]))

    async def one_sided(self, part, members, call, what):
        kind, count, seed = call["mine"]
        each = self.elements_of(kind)[1]
        window = part.window(self.values(kind, count, seed))
        owner, offset, asked, written = call["asked"]
        owner, offset = self.rank_in(members, owner), each * offset
        if what == "read":
            self.bring(kind, await self.done(window.read(owner, offset, each * asked)))
        elif what == "write":
            await self.done(window.write(owner, offset, self.values(kind, asked, written)))
        else:
            window.memory.flags.writeable = not call["constant"]
            await self.done(part.window(window.memory).sync())
        self.bring(kind, window.memory)

    async def read(self, part, members, call):
        await self.one_sided(part, members, call, "read")

    async def write(self, part, members, call):
        await self.one_sided(part, members, call, "write")

    async def serve(self, part, members, call):
        await self.one_sided(part, members, call, "serve")

    async def subset(self, part, members, call):
        if "varying" in call:
            made = part.subset(dimensions=call["varying"])
            made = await self.done(made)
            ranks = [members[rank] for rank in part.topology.members(part.rank, call["varying"])]
        else:
            made = await self.done(part.subset([self.rank_in(members, rank) for rank in call["members"]]))
            ranks = call["members"]
        self.result += [made.rank, made.size, digest(made.topology.spec.encode())]
        self.parts[call["number"]] = made, ranks

    async def pipelined_begin(self, part, members, call):
        async def rounds():
            self.result.append(self.me.now)
            while self.next < len(self.calls) and ACTIONS[self.calls[self.next]["what"]] != "pipelined_end":
                await self.make_next()
            self.next += 1

        await self.inside(part.pipelined(), rounds)

    async def label(self, part, call):
        async def next_call():
            if call["number"] == 2:
                await self.done(part.label("inner"))
            if self.next < len(self.calls) and ACTIONS[self.calls[self.next]["what"]] not in OUTSIDE_OF_LABELS:
                await self.make_next()

        if call["number"] == 0:
            return await self.done(part.label(call["name"]))
        await self.inside(part.label(call["name"]), next_call)

    async def plain(self, part, members, call):
        what = ACTIONS[call["what"]]
        if what in ("barrier", "phase"):
            await self.done(getattr(part, what)(*([call["name"]] if what == "phase" else [])))
        elif what in ("idle", "rearrange", "work", "choose_pass"):
            await self.done(getattr(part, what)(call["number"]))
        elif what == "tagged":
            await self.done(part._begin_tag(call["number"]))
        elif what == "allocate":
            self.memory.append(part.memory(call["number"] // 8))
        elif what == "free_memory" and self.memory:
            self.memory.pop().release()
        elif what == "fail":
            raise RuntimeError("the program's own")


async def awaited(me, program):
    return await Player(program, me, True).play()


def plain(me, program):
    try:
        Player(program, me, False).play().send(None)
    except StopIteration as end:
        return end.value


def came_of(way, program):
    """Run a program, and list what random_twins.cpp lists of it."""
    network, options = program["network"], program["options"]
    if not isinstance(network, str):
        network = lockstep.graph(network, program["size"], one_way=True)
    try:
        run = lockstep.machine(network, **options).run(way, program)
    except lockstep.Error as error:
        kind = "".join("_" * letter.isupper() + letter.lower() for letter in type(error).__name__)[1:]
        return {"error": kind, "step": error.step, "rank": -1 if error.rank is None else error.rank}
    return {
        "results": run.results,
        "counts": run.counts.as_dict(),
        "phases": [[name, counts.as_dict()] for name, counts in run.phases],
        "makespan": run.makespan,
        "span": run.span,
        "choices": run.choices,
    }


@pytest.mark.parametrize("way", [plain, awaited])
def test_random_programs_of_the_core(way):
    if way is plain:
        pytest.importorskip("greenlet")
    listed = subprocess.run([TWINS, "1", str(PROGRAMS)], capture_output=True, text=True, check=True).stdout
    programs = [json.loads(line) for line in listed.splitlines()]
    programs = [one for one in programs if one["came"].get("error") not in NOT_IN_PYTHON]
    assert len(programs) > PROGRAMS * 0.6
    assert any("error" in one["came"] for one in programs)
    for program in programs:
        assert came_of(way, program) == program["came"], f"seed {program['seed']}"
