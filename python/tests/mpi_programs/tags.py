"""Messages are received in another order than they were sent: tags tell which is which."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

if rank == 0:
    for to in range(1, size):
        comm.send({"what": "data", "values": [1.5 * to, 2.5]}, dest=to, tag=1)
        comm.send("the end", dest=to, tag=2)
        comm.send([to, to + 1], dest=to, tag=1)
    print([comm.recv(source=source, tag=3) for source in range(1, size)])
else:
    last = comm.recv(source=0, tag=2)
    first = comm.recv(source=0, tag=1)
    second = comm.recv(source=0, tag=1)
    comm.send((last, first["values"], second), dest=0, tag=3)
