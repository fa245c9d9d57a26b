"""A program with types, which mypy --strict takes."""

import pathlib
from array import array
from typing import Any

import lockstep
from lockstep.mpi import COMM_WORLD as comm
from lockstep.mpi import MPI


def total(me: lockstep.Processor, factor: int = 1) -> int:
    s: int = factor * me.rank
    for d in range(3):
        s += me.exchange(me.rank ^ (1 << d), s)
    return s


async def awaited(me: lockstep.Processor) -> list[float]:
    async with me.label("gather"):
        await me.barrier()
        every: list[float] = await me.all_gather(0.5 * me.rank)
    async with me.pipelined():
        await me.send((me.rank + 1) % me.size, b"bytes")
        await me.receive((me.rank - 1) % me.size, words=1)
    return every


def calls(me: lockstep.Processor) -> tuple[int | None, lockstep.Operations]:
    ring = lockstep.along(0, 1)
    me.phase("shift")
    me.shift(ring, [me.rank, me.now])
    with me.memory(16) as held, me.label("window"):
        window = me.window(array("d", [1.0] * held.words))
        window.write(me.rank ^ 1, 0, [2.0])
        window.sync()
    row: lockstep.Processor = me.subset(range(me.size))
    row.all_reduce(1, lambda a, b: a + b, commutes=True)
    row.broadcast([1, 2], root=0)
    neighbour: int | None = me.neighbour(ring)
    return neighbour, me.operations_of(lambda: lockstep.counted(1) + 2)


def measured() -> dict[str, int]:
    run = lockstep.machine("hypercube:3", ports="one", strict=True, max_steps=100).run(total, factor=2)
    results: list[int] = run.results
    assert len(results) == run.size
    assert run.counts == lockstep.takes(steps=3, words_at_most=3).contention_free()
    microseconds: float = run.time("paragon")
    for name, counts in run.phases:
        print(name, counts.steps, microseconds)
    run.view(pathlib.Path("run.html"), title="total")
    page: str = run.view().html
    return {**run.counts.as_dict(), "page": len(page)}


def of_the_library() -> list[dict[str, Any]]:
    exchange = lockstep.run("all-to-all", on="torus:4x4", words=2, model="paragon", scheme="fewest-rearrangements")
    if exchange.correct:
        print(exchange.claims[0]["verdict"], exchange.time())
    rows = lockstep.sweep("all-reduce", on=["hypercube:3", "hypercube:4"], words=[1, 10])
    tables = lockstep.paper("suh-shin", processors=16)
    return rows.flat() + tables[0].rows


def with_mpi() -> None:
    if comm.rank == 0:
        comm.send({"a": 7}, dest=1, tag=11)
    if comm.rank == 1:
        comm.recv(source=0, tag=MPI.ANY_TAG)


def fails() -> tuple[int | None, str | None]:
    try:
        lockstep.machine(lockstep.graph({0: [1], 1: [0]})).run(awaited)
    except lockstep.Deadlock as error:
        print(error.cycle, error.waits)
    except (lockstep.ProcessorFailed, lockstep.Error) as error:
        return error.line, error.phase
    return None, None
