"""Operators of one's own, numbers that have no room in 64 bits, and copies."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size


def least_sum(left, right, datatype):
    a, b = np.frombuffer(left, dtype="d"), np.frombuffer(right, dtype="d")
    b[:] = np.minimum(a, b) + 1


def of_memory():
    own = MPI.Op.Create(lambda a, b, datatype: np.frombuffer(b, "d").__iadd__(np.frombuffer(a, "d")), commute=True)
    sums, scanned = np.zeros(3), np.zeros(3)
    comm.Allreduce(np.full(3, rank + 1.0), sums, op=own)
    comm.Scan(np.arange(3.0) - rank, scanned, op=MPI.Op.Create(least_sum))
    return sums.tolist(), scanned.tolist()


def of_objects():
    turned = np.array([[1, rank], [0, 1]])
    product = comm.allreduce(turned, op=np.dot).tolist()
    largest = comm.scan((rank * 7) % 4, op=MPI.Op.Create(lambda a, b, datatype: max(a, b)))
    return product, largest, comm.allreduce(str(rank) + ".", op=lambda left, right: min(left, right))


def of_large_numbers():
    wide, narrow, unsigned = np.array([2**62 + 1]), np.array([100], dtype="i1"), np.array([2**63 + rank], dtype="u8")
    for one in (wide, narrow):
        comm.Allreduce(MPI.IN_PLACE, one)
    most, sum_of_unsigned = unsigned.copy(), unsigned.copy()
    comm.Allreduce(unsigned, most, op=MPI.MAX)
    comm.Allreduce(unsigned, sum_of_unsigned)
    return (
        comm.allreduce(2**62),
        comm.allreduce(10**6 * (rank + 1), op=MPI.PROD),
        comm.exscan(2**70),
        comm.allreduce(2**63 + rank, op=MPI.MAX),
        comm.allreduce(0.5 + 1j * rank),
        [one.tolist() for one in (wide, narrow, most, sum_of_unsigned)],
    )


def copies():
    given = [rank]
    got = comm.bcast(given)
    got.append("mine")
    return given, got


for test in (of_memory, of_objects, of_large_numbers, copies):
    results = comm.gather(test())
    if rank == 0:
        print(test.__name__, *results, sep="\n  ")
