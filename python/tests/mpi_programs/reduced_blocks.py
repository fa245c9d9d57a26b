"""Blocks of a sum: Reduce_scatter, of blocks of one size and of any sizes."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size


def alike():
    block = np.zeros(2)
    comm.Reduce_scatter(np.arange(2.0 * size) * (rank + 1), block, [2] * size)
    same = np.zeros(2)
    comm.Reduce_scatter(np.arange(2.0 * size) * (rank + 1), same)
    return block.tolist(), same.tolist()


def of_any_sizes():
    counts = [one + 1 for one in range(size)]
    block = np.zeros(rank + 1, dtype="i")
    comm.Reduce_scatter(np.arange(sum(counts), dtype="i") + rank, block, counts)
    most = np.full(rank + 1, -1, dtype="i")
    comm.Reduce_scatter([np.arange(sum(counts), dtype="i") * (-1) ** rank, MPI.INT], most, op=MPI.MAX)
    return block.tolist(), most.tolist()


def with_empty_blocks():
    counts = [0, 3] + [0] * (size - 3) + [1]
    block = np.zeros(counts[rank], dtype="u1")
    comm.Reduce_scatter(np.full(sum(counts), 100 + rank, dtype="u1"), block, recvcounts=counts)
    wide = np.zeros(counts[rank], dtype="D")
    comm.Reduce_scatter(np.arange(4) * (1 + 1j * rank), wide, counts, MPI.SUM)
    return block.tolist(), wide.tolist()


def in_place():
    counts = [2, 1, 1] + [2] * (size - 3)
    array = np.arange(sum(counts), dtype="d") + rank
    comm.Reduce_scatter(MPI.IN_PLACE, array, counts)
    return array[: counts[rank]].tolist()


def by_own_operator():
    own = MPI.Op.Create(lambda a, b, of: np.frombuffer(b, "d").__imul__(np.frombuffer(a, "d")), commute=True)
    block, other = np.zeros(1), np.zeros(rank + 1)
    comm.Reduce_scatter(np.arange(size) + rank + 1.0, block, [1] * size, op=own)
    comm.Reduce_scatter(np.ones(size * (size + 1) // 2) + rank, other, [one + 1 for one in range(size)], op=own)
    return block.tolist(), other.tolist()


for test in (alike, of_any_sizes, with_empty_blocks, in_place, by_own_operator):
    results = comm.gather(test())
    if rank == 0:
        print(test.__name__, *results, sep="\n  ")
