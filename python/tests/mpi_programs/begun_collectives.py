"""Collective operations that do not block."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
right, left = (rank + 1) % size, (rank - 1) % size


def a_barrier():
    request = comm.Ibarrier()
    if rank == 0:
        comm.send("while it lasts", dest=1)
    came = comm.recv(source=0) if rank == 1 else None
    request.Wait()
    return came, request == MPI.REQUEST_NULL


def sums():
    mine, total, up_to, before = np.arange(3.0) + rank, np.zeros(3), np.zeros(3), np.full(3, -1.0)
    least = np.zeros(3) if rank == 1 else None
    requests = [
        comm.Iallreduce(mine, total),
        comm.Iscan(mine, up_to),
        comm.Ireduce(mine, least, op=MPI.MIN, root=1),
        comm.Iexscan(mine, before, op=MPI.MAX),
    ]
    MPI.Request.Waitall(requests)
    in_place = np.array([rank])
    comm.Iallreduce(MPI.IN_PLACE, in_place, op=MPI.PROD).Wait()
    return [None if one is None else one.tolist() for one in (total, up_to, before if rank else None, least, in_place)]


def moves():
    told = np.full(2, rank)
    comm.Ibcast(told, root=2).Wait()
    rows = np.zeros((size, 2), dtype="i") if rank == 3 else None
    pair = np.full(2, rank, dtype="i")
    gathered = comm.Igather(pair, rows, root=3)
    everything, part, turned = np.zeros(size, dtype="i"), np.zeros(1), np.zeros(size, dtype="i")
    own, row, mine = np.array([rank], dtype="i"), np.arange(1.0 * size), np.arange(size, dtype="i") + 10 * rank
    all_gathered = comm.Iallgather(own, everything)
    scattered = comm.Iscatter(row if rank == 0 else None, part)
    exchanged = comm.Ialltoall(mine, turned)
    exchanged.Wait()
    gathered.Wait()
    MPI.Request.Waitall([scattered, all_gathered])
    return told.tolist(), rows is not None and rows.tolist(), everything.tolist(), part.tolist(), turned.tolist()


def blocks():
    counts = [one + 1 for one in range(size)]
    into = np.zeros(sum(counts), dtype="i")
    mine = np.full(rank + 1, rank, dtype="i")
    dealt, exchanged = np.zeros(rank + 1, dtype="i"), np.zeros(size, dtype="i")
    gathered = np.zeros(sum(counts), dtype="i") if rank == 0 else None
    summed, one_sum = np.zeros(rank + 1, dtype="i"), np.zeros(1, dtype="i")
    many, few, some = np.arange(sum(counts), dtype="i"), np.arange(size, dtype="i"), np.full(size, rank, dtype="i")
    MPI.Request.Waitall([
        comm.Iallgatherv(mine, [into, counts]),
        comm.Igatherv(mine, [gathered, counts] if rank == 0 else None),
        comm.Iscatterv([many, counts] if rank == 0 else None, dealt),
        comm.Ialltoallv([some, [1] * size], [exchanged, [1] * size]),
        comm.Ireduce_scatter(many, summed, counts),
        comm.Ireduce_scatter_block(few, one_sum),
    ])
    return [one.tolist() for one in (into, dealt, exchanged, summed, one_sum)], rank == 0 and gathered.tolist()


def in_any_order():
    """Requests that ranks wait for in different orders, blocking operations between them."""
    first, second, unit, own = np.zeros(1), np.zeros(1), np.ones(1), np.array([rank + 0.0])
    one = comm.Iallreduce(unit, first)
    two = comm.Iallreduce(own, second, op=MPI.MAX)
    if rank % 2:
        two.Wait()
        one.Wait()
        last = comm.allreduce(rank)
    else:
        last = comm.allreduce(rank)
        one.Wait()
        two.Wait()
    return first.tolist(), second.tolist(), last


def asked_for():
    """Asked until it is complete."""
    mine, total = np.array([2.0]), np.zeros(1)
    request = comm.Iallreduce(mine, total)
    while not request.Test():
        pass
    barrier = comm.Ibarrier()
    place = MPI.Request.Waitany([MPI.REQUEST_NULL, barrier])
    return total.tolist(), place, MPI.Request.testall([barrier, request])[0], request.Test()


def nobody_knows_how_many():
    """Each sends to some, who do not know of it: until all are answered, and all have come to a barrier."""
    to = [other for other in range(size) if other != rank and (rank + other) % 3]
    sent = [comm.issend((rank, other), dest=other, tag=5) for other in to]
    came, barrier = [], None
    while True:
        if comm.iprobe(tag=5):
            came.append(comm.recv(tag=5))
        if barrier is not None:
            if barrier.Test():
                break
        elif MPI.Request.testall(sent)[0]:
            barrier = comm.Ibarrier()
    return sorted(came)


def in_parts():
    part = comm.Split(rank % 2, -rank)
    mine, total, unit, all_of_them = np.array([rank + 1.0]), np.zeros(1), np.ones(1), np.zeros(1)
    requests = [part.Iallreduce(mine, total), comm.Iallreduce(unit, all_of_them)]
    came = comm.irecv(source=left, tag=6)
    comm.send(rank, dest=right, tag=6)
    values = MPI.Request.waitall([came, *requests])
    return total.tolist(), all_of_them.tolist(), values


for test in (a_barrier, sums, moves, blocks, in_any_order, asked_for, nobody_knows_how_many, in_parts):
    results = comm.gather(test())
    if rank == 0:
        print(test.__name__, *results, sep="\n  ")
