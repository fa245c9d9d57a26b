"""A grid of processes: sums along its rows and columns, by communicators of their own, and a shift."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
width = 2

row = comm.Split(color=rank // width, key=rank)
column = comm.Split(color=rank % width, key=rank)
in_row = row.allreduce(rank)
in_column = column.allreduce(rank)

grid = comm.Create_cart(dims=[size // width, width], periods=[True, False])
up, down = grid.Shift(0, 1)
before, after = grid.Shift(1, 1)
from_above = grid.sendrecv(rank, dest=down, source=up)
from_before = grid.sendrecv(rank, dest=after, source=before)
everything = comm.gather((row.Get_rank(), in_row, in_column, grid.Get_coords(grid.rank), from_above, from_before))
if rank == 0:
    for line in everything:
        print(line)
