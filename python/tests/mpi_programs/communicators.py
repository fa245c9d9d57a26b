"""Communicators of one process, of colours of several types, and grids."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size


def of_one():
    alone = MPI.COMM_SELF
    twin = alone.Dup()
    array = np.full(2, float(rank))
    twin.Allreduce(MPI.IN_PLACE, array)
    return alone.gather(rank), alone.bcast([rank]), twin.allreduce(rank), twin.gather("x" * rank), array.tolist()


def of_colours():
    part = comm.Split([True, 1, np.int64(0), 0][rank % 4], rank)
    return part.size, part.allgather(rank)


def of_grids():
    grid = comm.Create_cart([2, 2], periods=True)
    twin = grid.Dup()
    line = twin.Sub([False, True])
    return grid.Shift(0, 1), twin.coords, twin.periods, line.allgather(rank), MPI.Compute_dims(12, [0, 2])


for test in (of_one, of_colours, of_grids):
    results = comm.gather(test())
    if rank == 0:
        print(test.__name__, *results, sep="\n  ")
