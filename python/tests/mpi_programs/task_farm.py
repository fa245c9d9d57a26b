"""A master deals out tasks to whichever worker is free; tags tell tasks from the word to stop."""
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
TASK, STOP = 1, 2

if rank == 0:
    tasks = list(range(20))
    results = {}
    status = MPI.Status()
    for worker in range(1, size):
        comm.send(tasks.pop(0), dest=worker, tag=TASK)
    busy = size - 1
    while busy:
        task, result = comm.recv(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
        results[task] = result
        worker = status.Get_source()
        if tasks:
            comm.send(tasks.pop(0), dest=worker, tag=TASK)
        else:
            comm.send(None, dest=worker, tag=STOP)
            busy -= 1
    print(sorted(results.items()))
else:
    status = MPI.Status()
    while True:
        task = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == STOP:
            break
        comm.send((task, task**3), dest=0, tag=TASK)
