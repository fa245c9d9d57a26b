"""Requests that have ended: which comes next, what is left of them, and what their statuses say."""

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size


def everything_that_came():
    requests = [comm.irecv(source=source, tag=source) for source in range(1, size)]
    came = sorted(MPI.Request.waitany(requests) for _ in requests)
    none = MPI.Request.waitany(requests)
    return came, none == (MPI.UNDEFINED, None), [bool(request) for request in requests], requests[0].wait()


if rank:
    comm.send(10 * rank, dest=0, tag=rank)
    report = None
else:
    report = everything_that_came()
reports = comm.gather(report)
if rank == 0:
    print(reports[0])

right, left = (rank + 1) % size, (rank - 1) % size
into = np.zeros(2)
requests = [MPI.REQUEST_NULL, comm.Isend(np.full(2, rank + 0.5), dest=right), comm.Irecv(into, source=left)]
statuses = []
MPI.Request.Waitall(requests, statuses)
ended = [request == MPI.REQUEST_NULL for request in requests]
last = statuses[2]
report = (into.tolist(), ended, last.Get_source(), last.Get_count(), last.Get_count(MPI.DOUBLE), last.Get_count(MPI.INT))
first, second = comm.isend(rank, dest=right), comm.irecv(source=left)
values = second.wait(), second.wait(), second.test(), first.wait()
few = [MPI.Status()]
requests = [comm.isend("x", dest=right), comm.irecv(source=left)]
all_of_them = MPI.Request.waitall(requests, few), len(few)
other = comm.Dup()
if rank == 0:
    other.send("of the other", dest=1)
both = None
if rank == 1:
    pair = [comm.irecv(source=2), other.irecv(source=0)]
    both = MPI.Request.waitany(pair)
    comm.send("go on", dest=2)
    both = both, pair[0].wait()
elif rank == 2:
    comm.recv(source=1)
    comm.send("at last", dest=1)
requests = [comm.isend(rank, dest=right), comm.irecv(source=left)]
tested = [MPI.Request.testany(requests[:1]), MPI.Request.waitsome(requests), MPI.Request.waitsome(requests)]
tested += [MPI.Request.testany(requests) == (MPI.UNDEFINED, True, None), MPI.DOUBLE.Get_extent()]
nobody = MPI.Status()
comm.probe(source=MPI.PROC_NULL, status=nobody)
asked = comm.iprobe(source=MPI.PROC_NULL), nobody.Get_source() == MPI.PROC_NULL
reports = comm.gather((report, values, all_of_them, both, asked, tested))
if rank == 0:
    for one in reports:
        print(one)
