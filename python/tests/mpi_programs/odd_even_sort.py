"""Odd-even transposition sort of blocks: neighbours merge, and keep the smaller or the larger half."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
block = 6

keys = sorted((17 * (rank * block + i) + 5) % 97 for i in range(block))
for phase in range(size):
    partner = rank + 1 if (rank + phase) % 2 == 0 else rank - 1
    if not 0 <= partner < size:
        continue
    other = comm.sendrecv(keys, dest=partner, source=partner)
    merged = sorted(keys + other)
    keys = merged[:block] if rank < partner else merged[block:]
collected = comm.gather(keys, root=0)
if rank == 0:
    everything = [key for part in collected for key in part]
    assert everything == sorted(everything)
    print(everything)
