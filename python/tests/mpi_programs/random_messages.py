"""Random messages, receives in another order, and collective operations in between: all agree on what came."""
import random
import zlib
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()


def receives_of(draw, messages, me):
    """Receives that get all messages to a rank: from each source those with a tag first, and then any."""
    orders = []
    for source in range(size):
        tags = [tag for s, to, tag, _ in messages if (s, to) == (source, me)]
        exact = draw.sample(tags, draw.randrange(len(tags) + 1))
        orders.append([(source, tag) for tag in exact] + [(source, MPI.ANY_TAG)] * (len(tags) - len(exact)))
    merged = []
    while any(orders):
        merged.append(draw.choice([order for order in orders if order]).pop(0))
    return merged


digest = 0
for seed in range(60):
    draw = random.Random(seed)
    messages = [
        (draw.randrange(size), draw.randrange(size), draw.randrange(4), draw.choice([i, [i] * 3, "m%d" % i, {"i": i}]))
        for i in range(draw.randrange(25))
    ]
    plans = [receives_of(draw, messages, me) for me in range(size)]
    kinds = [[draw.choice(["recv", "irecv"]) for _ in plan] for plan in plans]
    between = [draw.choice([None, "allreduce", "bcast", "gather", "barrier", "alltoall"]) for _ in range(3)]

    requests = [comm.isend(value, dest=to, tag=tag) for source, to, tag, value in messages if source == rank]
    got, waiting = [], []
    if between[0] == "barrier":
        comm.barrier()
    elif between[0] == "allreduce":
        got.append(comm.allreduce(rank * seed))
    status = MPI.Status()
    for (source, tag), kind in zip(plans[rank], kinds[rank]):
        if kind == "recv":
            got.append((comm.recv(source=source, tag=tag, status=status), status.Get_source(), status.Get_tag()))
        else:
            waiting.append(comm.irecv(source=source, tag=tag))
    if between[1] == "bcast":
        got.append(comm.bcast({"seed": seed} if rank == seed % size else None, root=seed % size))
    elif between[1] == "alltoall":
        got.append(comm.alltoall(["%d>%d" % (rank, to) for to in range(size)]))
    random.Random(seed + rank).shuffle(waiting)
    got.extend(request.wait() for request in waiting)
    MPI.Request.waitall(requests)
    everything = comm.gather(got, root=0)
    if rank == 0:
        digest = zlib.crc32(repr(everything).encode(), digest)
if rank == 0:
    print("what came: %08x" % digest)
