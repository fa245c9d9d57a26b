"""Blocks of different sizes: dealt out, changed, and collected."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

counts = [3 * r + 1 for r in range(size)]
offsets = [sum(counts[:r]) for r in range(size)]
data = numpy.arange(sum(counts), dtype="d") if rank == 0 else None
mine = numpy.empty(counts[rank])
comm.Scatterv([data, counts, offsets, MPI.DOUBLE], mine, root=0)
mine += 1000 * rank
result = numpy.empty(sum(counts)) if rank == 0 else None
comm.Gatherv(mine, [result, counts, offsets, MPI.DOUBLE], root=0)
largest = numpy.empty(1)
comm.Allreduce(mine[-1:].copy(), largest, op=MPI.MAX)
if rank == 0:
    print(result.astype(int).tolist(), largest[0])
