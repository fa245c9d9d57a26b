"""Nothing is left of runs: neither objects nor memory, of those that end well and of those that fail."""

import gc
import inspect
import sys

import numpy
import pytest

import lockstep
from lockstep import _lockstep

#: Runs of each program; a debug build of Python takes fewer.
RUNS = 1000


def all_calls(me):
    other = me.rank ^ 1
    with me.memory(4):
        me.phase("phase")
        got = [me.exchange(other, value) for value in (1, 2.5, "text", b"bytes", [1, 2], (3, 4), None, {"a": me.rank})]
        got.append(me.exchange(other, numpy.arange(10.0)))
    with me.pipelined():
        me.send(other, me.rank)
        got.append(me.receive(other))
    me.post(other, [me.rank] * 3)
    got.append(me.deliver())
    window = me.window(numpy.arange(4.0))
    got.append(window.read(other, 1, 2))
    row = me.subset([me.rank & ~1, me.rank | 1])
    got.append(row.all_reduce([me.rank, 1.5]))
    got.append(me.all_reduce(me.rank, lambda a, b: a + b))
    got.append(me.all_to_allv([me.rank] * me.size, [1] * me.size))
    with me.label("outer"):
        me.label("inner")
        got.append(me.topology.diameter + row.topology.size)
    got.append(me.work_of(lambda: lockstep.counted(1) + 2))
    got.append(me.operations_of(lambda: None))
    return got


async def awaited(me):
    other = me.rank ^ 1
    got = [await me.exchange(other, value) for value in (1, "text", {"a": me.rank})]
    async with me.pipelined():
        await me.send(other, numpy.zeros(3))
        got.append(await me.receive(other))
    async with me.label("outer"):
        await me.label("inner")
    return got, await me.all_gather([me.rank, me.rank])


def deadlock(me):
    kept = {"me": me}
    return me.receive(me.rank ^ 1), kept


def raises(me):
    me.send(me.rank ^ 1, ["never", "received"])
    if me.rank == me.size - 1:
        raise ValueError({"rank": me.rank})
    return me.receive(me.rank ^ 1)


async def awaited_deadlock(me):
    kept = {"me": me}
    return await me.receive(me.rank ^ 1), kept


async def raises_awaited(me):
    await me.send(me.rank ^ 1, ["never", "received"])
    if me.rank == me.size - 1:
        raise ValueError({"rank": me.rank})
    return await me.receive(me.rank ^ 1)


async def not_awaited(me):
    me.send(me.rank ^ 1, 1)
    return await me.receive(me.rank ^ 1)


def through_mpi():
    comm = lockstep.mpi.COMM_WORLD
    part = comm.Split(comm.rank % 2)
    request, total = comm.irecv(source=comm.rank ^ 1), numpy.zeros(1)
    begun = comm.Iallreduce(numpy.ones(1), total)
    comm.ssend([comm.rank], dest=comm.rank ^ 1)
    lockstep.mpi.Request.waitall([request, begun, comm.Create(comm.group).Ibarrier()])
    got = comm.sendrecv({"x": comm.rank}, dest=comm.rank ^ 1, source=comm.rank ^ 1)
    return got, part.allreduce((comm.rank, 1), op=lockstep.mpi.MAXLOC), comm.gather("x" * comm.rank)


def run_plainly(program):
    return lockstep.machine("hypercube:2").run(program)


def run_mpi(program):
    return lockstep.mpi.run(program, n=4)


def run_failing(program):
    with pytest.raises(Exception):  # noqa: B017
        lockstep.machine("hypercube:2").run(program)


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def references(run, program):
    """Count all references, which only a module that is built for a debug build of Python counts itself, too.

    greenlet is not: when it closes a program, it lets go of references that Python has counted.
    """
    is_debug = f"{sys.version_info.minor}d-" in _lockstep.__file__
    closes_greenlets = run is run_failing and not inspect.iscoroutinefunction(program)
    return sys.gettotalrefcount() if is_debug and not closes_greenlets else 0


CASES = [
    (run_plainly, all_calls),
    (run_plainly, awaited),
    (run_mpi, through_mpi),
    (run_failing, deadlock),
    (run_failing, raises),
    (run_failing, awaited_deadlock),
    (run_failing, raises_awaited),
    (run_failing, not_awaited),
]


@pytest.mark.parametrize(("run", "program"), CASES, ids=lambda one: one.__name__)
def test_nothing_is_left(run, program):
    runs = 100 if hasattr(sys, "gettotalrefcount") else RUNS
    for _ in range(runs // 10):
        run(program)
    gc.collect()
    objects, memory, counted = len(gc.get_objects()), resident(), references(run, program)
    for _ in range(runs):
        run(program)
    gc.collect()
    assert references(run, program) - counted < runs // 2
    assert len(gc.get_objects()) - objects < 20  # of pytest's own, and not of the runs
    assert resident() - memory < 2**20 + 200 * runs  # what a list of one value in each run would take
