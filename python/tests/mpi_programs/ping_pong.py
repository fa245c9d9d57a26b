"""Arrays of growing length go there and back between pairs of processes."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
partner = rank ^ 1

for power in range(6):
    n = 4**power
    data = numpy.zeros(n)
    if rank % 2 == 0:
        data[:] = rank + power
        comm.Send([data, MPI.DOUBLE], dest=partner, tag=power)
        comm.Recv([data, MPI.DOUBLE], source=partner, tag=power)
        if rank == 0:
            print(n, data.sum())
    else:
        comm.Recv([data, MPI.DOUBLE], source=partner, tag=power)
        data *= 2
        comm.Send([data, MPI.DOUBLE], dest=partner, tag=power)
