"""Integrates 4 / (1 + x^2) by the midpoint rule: every process sums its own intervals."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

intervals = 1000 if rank == 0 else None
intervals = comm.bcast(intervals, root=0)
width = 1.0 / intervals
part = 0.0
for i in range(rank, intervals, size):
    x = width * (i + 0.5)
    part += 4.0 / (1.0 + x * x)
pi = comm.reduce(part * width, op=MPI.SUM, root=0)
if rank == 0:
    print("pi is about %.8f" % pi)
