"""Buffers as mpi4py takes them: counts for each rank, displacements, bytes, and arrays of all types."""

import array

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
D = MPI.DOUBLE


def numbers(count, of="d"):
    return np.arange(count).astype(of) + 10 * rank


def passed_on(what, into):
    """Send a buffer from 0 to 1."""
    if rank == 0:
        comm.Send(what, dest=1)
    elif rank == 1:
        comm.Recv(into, source=0)


def counts_of_each_rank():
    some, all_of_them = np.full(2, -1.0), np.full(2 * size, -1.0)
    comm.Scatter([numbers(4 * size), 2, D] if rank == 0 else None, [some, 2, D])
    comm.Allgather([numbers(3), 2, D], [all_of_them, 2, D])
    return some.tolist(), all_of_them.tolist()


def blocks():
    dealt, apart = np.full(2, -1.0), np.full(2, -1.0)
    comm.Scatterv([numbers(2 * size), 2, D] if rank == 0 else None, dealt)
    comm.Scatterv([numbers(size + 2), ([2] * size, list(range(size))), D] if rank == 0 else None, apart)
    everything = numbers(2 * size)
    comm.Allgatherv(MPI.IN_PLACE, [everything, [2] * size])
    gathered = numbers(2 * size)
    comm.Gatherv(MPI.IN_PLACE if rank == 0 else numbers(2), [gathered, [2] * size] if rank == 0 else None)
    return dealt.tolist(), apart.tolist(), everything.tolist(), gathered.tolist()


def orders_and_types():
    columns, rows = np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.full(6, -1.0)
    passed_on(columns, rows)
    text = bytearray(5)
    passed_on([b"hello", MPI.CHAR], [text, MPI.CHAR])
    in_bytes = np.zeros(3)
    passed_on([in_bytes + 1, in_bytes.nbytes, MPI.BYTE], [in_bytes, in_bytes.nbytes, MPI.BYTE])
    records = np.zeros(2, dtype=[("n", "i4"), ("x", "f8")])
    given = records.copy()
    given["n"], given["x"] = 3, 0.5
    passed_on([given, MPI.BYTE], [records, MPI.BYTE])
    some = np.full(4, -1.0)
    passed_on([numbers(6), 2, 3, D], [some, (2, 1), "d"])
    own = array.array("i", [0] * 3)
    passed_on([array.array("i", [1, 2, 3]), MPI.INT], own)
    return rows.tolist(), bytes(text), in_bytes.tolist(), records.tolist(), some.tolist(), own.tolist()


def what_is_not_there():
    comm.Send(None, dest=MPI.PROC_NULL)
    comm.Recv(None, source=MPI.PROC_NULL)
    fixed = numbers(3)
    fixed.flags.writeable = rank != 0
    comm.Bcast(fixed)
    return fixed.tolist()


def complex_numbers():
    mine, sums, all_of_them = numbers(2) * 1j + 1, np.zeros(2, complex), np.zeros(2 * size, complex)
    comm.Allreduce([mine, MPI.DOUBLE_COMPLEX], [sums, MPI.DOUBLE_COMPLEX])
    comm.Allgather(mine, all_of_them)
    comm.Bcast(mine)
    return sums.tolist(), all_of_them.tolist(), mine.tolist()


for test in (counts_of_each_rank, blocks, orders_and_types, what_is_not_there, complex_numbers):
    results = comm.gather(test())
    if rank == 0:
        print(test.__name__, *results, sep="\n  ")
