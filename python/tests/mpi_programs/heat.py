"""Heat in a rod: neighbours exchange their borders, without waiting, and all agree when to stop."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
left = rank - 1 if rank > 0 else MPI.PROC_NULL
right = rank + 1 if rank < size - 1 else MPI.PROC_NULL

cells = numpy.zeros(10)  # with a border on each side
if rank == 0:
    cells[0] = 100.0
steps = 0
change = 100.0
while change > 0.5:
    requests = [
        comm.Irecv(cells[:1], source=left, tag=1),
        comm.Irecv(cells[-1:], source=right, tag=2),
        comm.Isend(cells[1:2], dest=left, tag=2),
        comm.Isend(cells[-2:-1], dest=right, tag=1),
    ]
    MPI.Request.Waitall(requests)
    new = 0.5 * (cells[:-2] + cells[2:])
    change = comm.allreduce(float(abs(new - cells[1:-1]).max()), op=MPI.MAX)
    cells[1:-1] = new
    steps += 1
total = comm.reduce(float(cells[1:-1].sum()))
if rank == 0:
    print(steps, "steps, heat %.6f" % total)
