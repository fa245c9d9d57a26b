"""Transposes a matrix whose rows are dealt out: once with lists, once with arrays."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

row = [10 * rank + column for column in range(size)]
column = comm.alltoall(row)
assert column == [10 * r + rank for r in range(size)]

b = 2
mine = numpy.arange(b * size, dtype="i") + 100 * rank
theirs = numpy.empty_like(mine)
comm.Alltoall(mine, theirs)
everything = comm.gather(theirs.tolist())
if rank == 0:
    print(column)
    print(everything)
