"""Operators made by Op.Create, as MPI calls them: with the memory of arrays, or with values and no type."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
called_with = set()


def add_or_join(left, right, datatype):
    called_with.add((type(datatype).__name__, datatype == MPI.DOUBLE))
    if datatype is None:
        return left + right
    a, b = np.frombuffer(left, dtype="d"), np.frombuffer(right, dtype="d")
    b += a


def product_of_matrices(left, right, datatype=None):
    """A product of 2 x 2 matrices, which does not commute."""
    if datatype is None:
        return left @ right
    a, b = np.frombuffer(left, dtype="i8").reshape(2, 2), np.frombuffer(right, dtype="i8").reshape(2, 2)
    b[:] = a @ b
    return None


def keep_first(*given):
    left, right, datatype = given
    if datatype is None:
        return left
    right[:] = left[:]
    return None


def of_arrays():
    total = np.zeros(3)
    comm.Allreduce(np.arange(3.0) + rank, total, op=OWN)
    matrix = np.array([[1, rank + 1], [rank, 1]], dtype="i8")
    first, up_to, last = np.zeros((2, 2), "i8"), np.zeros((2, 2), "i8"), np.zeros((2, 2), "i8")
    comm.Allreduce(matrix, first, op=PRODUCT)
    comm.Scan(matrix, up_to, op=PRODUCT)
    comm.Reduce(matrix, last if rank == size - 1 else None, op=PRODUCT, root=size - 1)
    kept = np.zeros(2)
    comm.Allreduce(np.full(2, rank + 5.0), kept, op=FIRST)
    return total.tolist(), first.tolist(), up_to.tolist(), last.tolist(), kept.tolist()


def of_values():
    matrix = np.array([[1, rank + 1], [rank, 1]])
    return (
        comm.allreduce(rank + 0.5, op=OWN),
        comm.reduce(matrix, op=PRODUCT, root=1) if rank != 1 else comm.reduce(matrix, op=PRODUCT, root=1).tolist(),
        comm.scan(rank, op=FIRST),
        comm.exscan(rank + 1, op=OWN),
    )


def by_hand():
    right = np.arange(3.0)
    MPI.SUM.Reduce_local(np.full(3, 2.0), right)
    OWN.Reduce_local(np.full(3, 0.5), right)
    most = np.array([1, 9], dtype="i")
    MPI.MAX.Reduce_local([np.array([5, 3], dtype="i"), MPI.INT], most)
    return right.tolist(), most.tolist(), MPI.SUM(2, 3), OWN(1, 2), MPI.MAX(2, 7)


def what_they_are():
    own = OWN.Is_commutative(), OWN.is_commutative, OWN.is_predefined
    calls = sorted(set().union(*comm.allgather(called_with)))
    return own, PRODUCT.is_commutative, MPI.SUM.is_predefined, MPI.SUM.Is_commutative(), calls


OWN = MPI.Op.Create(add_or_join, commute=True)
PRODUCT = MPI.Op.Create(product_of_matrices)
FIRST = MPI.Op.Create(keep_first, False)
for test in (of_arrays, of_values, by_hand, what_they_are):
    results = comm.gather(test())
    if rank == 0:
        print(test.__name__, *results, sep="\n  ")
OWN.Free()
