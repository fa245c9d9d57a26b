"""A token goes round the ring three times; each process adds its rank."""
from mpi4py.MPI import COMM_WORLD as comm

rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size

if rank == 0:
    token = 0
    for lap in range(3):
        comm.send(token, dest=right)
        token = comm.recv(source=left)
        print("lap", lap, "token", token)
else:
    for lap in range(3):
        token = comm.recv(source=left)
        comm.send(token + rank, dest=right)
