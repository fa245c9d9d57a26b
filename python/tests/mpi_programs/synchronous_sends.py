"""Sends that end when they are received, and the other kinds of sends."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size


def one_after_another():
    """Around the ring: rank 0 begins, so that no one waits for ever."""
    if rank == 0:
        comm.ssend([rank], dest=right, tag=3)
        return comm.recv(source=left, tag=3)
    came = comm.recv(source=left, tag=3)
    comm.ssend([*came, rank], dest=right, tag=3)
    return came


def with_receives_begun():
    """All send at the same time, for the receives have begun."""
    request = comm.irecv(source=left)
    comm.ssend(rank * 11, dest=right)
    into = np.zeros(3)
    other = comm.Irecv(into, source=right, tag=4)
    comm.Ssend(np.full(3, rank + 0.5), dest=left, tag=4)
    other.Wait()
    return request.wait(), into.tolist()


def requests():
    sent = [comm.issend(("to", to), dest=to, tag=to) for to in range(size) if to != rank]
    sent.append(comm.Issend(np.arange(rank, dtype="i"), dest=right, tag=size))
    came = [comm.recv(source=source, tag=rank) for source in range(size) if source != rank]
    status = MPI.Status()
    array = np.zeros(size, dtype="i")
    comm.Recv(array, source=left, tag=size, status=status)
    MPI.Request.Waitall(sent)
    return came, status.Get_count(MPI.INT), [request == MPI.REQUEST_NULL for request in sent]


def not_before_it_is_received():
    """Until rank 1 has heard from rank 2, it does not receive, and rank 0's request is not complete."""
    if rank == 0:
        request = comm.issend("late", dest=1, tag=1)
        before = request.test()[0]
        comm.send(None, dest=2, tag=2)
        request.wait()
        return before
    if rank == 2:
        comm.recv(source=0, tag=2)
        comm.send("go on", dest=1, tag=3)
    if rank == 1:
        return comm.recv(source=2, tag=3), comm.recv(source=0, tag=1)
    return None


def to_oneself():
    request = comm.irecv(source=rank, tag=9)
    comm.ssend("mine", dest=rank, tag=9)
    return request.wait(), comm.ssend(1, dest=MPI.PROC_NULL)


def around_collectives():
    """A message that is received after a collective operation, and is answered then."""
    request = comm.issend(rank, dest=right, tag=7)
    total = comm.allreduce(rank)
    begun = comm.irecv(source=left, tag=7)
    everything = comm.allgather(rank * rank)
    came = begun.wait()
    request.wait()
    early, answer = comm.irecv(source=left, tag=8), comm.issend(-rank, dest=right, tag=8)
    part = comm.Split(rank % 2, rank)
    sums = part.allreduce(rank), comm.allreduce(1)
    return total, everything, came, sums, early.wait(), answer.wait()


def with_buffers():
    MPI.Attach_buffer(np.zeros(10000, dtype="u1"))
    comm.bsend({"rank": rank}, dest=right)
    came = comm.recv(source=left)
    comm.Bsend(np.full(2, rank), dest=right)
    into = np.zeros(2, dtype=int)
    comm.Recv(into, source=left)
    comm.ibsend(rank, dest=right).wait()
    MPI.Detach_buffer()
    last = comm.recv(source=left)
    ready = comm.Irecv(into, source=left)
    comm.Barrier()
    comm.Rsend(np.full(2, -rank), dest=right)
    ready.Wait()
    return came, last, into.tolist()


for test in (
    *(one_after_another, with_receives_begun, requests, not_before_it_is_received, to_oneself, around_collectives),
    with_buffers,
):
    results = comm.gather(test())
    if rank == 0:
        print(test.__name__, *results, sep="\n  ")
