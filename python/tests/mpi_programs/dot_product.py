"""The dot product of two vectors, of which the root deals out blocks."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
block = 25

x = y = None
if rank == 0:
    x = numpy.arange(block * size, dtype="d")
    y = numpy.linspace(0.0, 1.0, block * size)
my_x, my_y = numpy.empty(block), numpy.empty(block)
comm.Scatter(x, my_x, root=0)
comm.Scatter(y, my_y, root=0)
part = numpy.array([numpy.dot(my_x, my_y)])
total = numpy.zeros(1)
comm.Allreduce(part, total, op=MPI.SUM)
print_from = size - 1
if rank == print_from:
    print("dot product %.6f" % total[0])
