"""Deals out lists, squares their numbers, and collects them."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

pieces = [list(range(5 * r, 5 * r + 5)) for r in range(size)] if rank == 0 else None
mine = comm.scatter(pieces, root=0)
squares = [number * number for number in mine]
collected = comm.gather(squares, root=0)
if rank == 0:
    print(collected)
else:
    assert collected is None
