"""Every process greets; the first prints the greetings in the order of ranks."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

if rank != 0:
    comm.send("hello from %d of %d" % (rank, size), dest=0, tag=7)
else:
    print("hello from 0 of", size)
    for source in range(1, size):
        print(comm.recv(source=source, tag=7))
