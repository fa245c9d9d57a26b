"""A matrix times a vector, by rows: the vector goes to all, and blocks of the product come together in all."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
n = 4 * size

matrix = None
vector = numpy.empty(n)
if rank == 0:
    matrix = numpy.fromfunction(lambda i, j: (i + 2 * j) % 7, (n, n))
    vector[:] = numpy.arange(n)
rows = numpy.empty((n // size, n))
comm.Scatter(matrix, rows, root=0)
comm.Bcast(vector, root=0)
mine = rows @ vector
product = numpy.empty(n)
comm.Allgather(mine, product)
if rank == 1:
    print(product.astype(int).tolist())
